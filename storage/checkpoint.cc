#include "storage/checkpoint.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "storage/byte_order.h"
#include "storage/model_meta.h"
#include "storage/multi_get.h"
#include "storage/resident_row.h"

namespace thresher::storage {
namespace {

using rocksdb::Slice;

// Above this a checkpoint is flushed at once: whoever opens the model would have to replay it.
constexpr size_t kLargeBatch = kLongestWal / 4;
constexpr size_t kRecordOverhead = 4 + sizeof(uint64_t);  // of a batch, per key

Slice RowSlice(const RowSlots::Entry& entry, size_t row_bytes) {
  return {reinterpret_cast<const char*>(entry.row()), row_bytes};
}

// What there is to do, sorted by id: RocksDB inserts sorted keys fastest.
struct Plan {
  std::vector<RowSlots::Entry*> written;
  std::vector<RowSlots::Entry*> removed;
  size_t text_bytes = 0;
};

Plan MakePlan(bool sweep, const std::function<bool(const std::byte*)>& is_live, const TextArena& texts,
              RowSlots* rows) {
  Plan plan;
  rows->ForEach([&](RowSlots::Entry& entry) {
    const bool changed = (entry.state & kChanged) != 0;
    if (!changed && !sweep) return;
    if (!is_live(entry.row())) {
      plan.removed.push_back(&entry);
    } else if (changed) {
      plan.written.push_back(&entry);
      plan.text_bytes += texts.Get(TextHandle(entry.state)).size();
    }
  });
  const auto by_id = [](const RowSlots::Entry* a, const RowSlots::Entry* b) { return a->id < b->id; };
  std::sort(plan.written.begin(), plan.written.end(), by_id);
  std::sort(plan.removed.begin(), plan.removed.end(), by_id);
  return plan;
}

// Batches refuse a write only past their largest size, which is an error of the first status that says so.
rocksdb::Status PutRows(const Database::Impl& impl, const Plan& plan, size_t row_bytes,
                        const TextArena& texts, rocksdb::WriteBatch* batch) {
  rocksdb::Status status;
  for (const RowSlots::Entry* entry : plan.written) {
    if (status.ok())
      status =
          batch->Put(impl.family(Family::kWeights), IdKey(entry->id).slice(), RowSlice(*entry, row_bytes));
  }
  for (const RowSlots::Entry* entry : plan.written) {
    const std::string_view text = texts.Get(TextHandle(entry->state));
    if (status.ok() && !text.empty())
      status = batch->Put(impl.family(Family::kTokens), IdKey(entry->id).slice(), Slice(text));
  }
  for (const RowSlots::Entry* entry : plan.removed) {
    if ((entry->state & kStored) == 0) continue;
    if (status.ok()) status = batch->Delete(impl.family(Family::kWeights), IdKey(entry->id).slice());
    if (status.ok()) status = batch->Delete(impl.family(Family::kTokens), IdKey(entry->id).slice());
  }
  return status;
}

rocksdb::Status PutProgress(std::span<const std::byte> globals, uint64_t applied_seq,
                            rocksdb::WriteBatch* batch) {
  std::string seq;
  AppendLittle(applied_seq, &seq);
  const Slice globals_slice(reinterpret_cast<const char*>(globals.data()), globals.size());
  const auto status = batch->Put(Slice(kGlobalsKey), globals_slice);
  return status.ok() ? batch->Put(Slice(kAppliedSeqKey), seq) : status;
}

// What is on disk now is no longer changed; what is dead leaves.
void Settle(const Plan& plan, RowSlots* rows, TextArena* texts) {
  for (RowSlots::Entry* entry : plan.written) entry->state = kResident | kStored;
  texts->Clear();
  if (plan.removed.empty()) return;
  for (RowSlots::Entry* entry : plan.removed) entry->state |= kDead;
  RowSlots live(rows->row_bytes());
  live.Reserve(rows->size() - plan.removed.size());
  rows->ForEach([&live](const RowSlots::Entry& entry) {
    if ((entry.state & kDead) == 0) live.InsertCopy(entry);
  });
  *rows = std::move(live);
}

}  // namespace

Result<WeightTable::CheckpointCounts> WriteCheckpoint(Database::Impl& impl, bool sweep,
                                                      std::span<const std::byte> globals,
                                                      uint64_t applied_seq,
                                                      const std::function<bool(const std::byte*)>& is_live,
                                                      RowSlots* rows, TextArena* texts) {
  const Plan plan = MakePlan(sweep, is_live, *texts, rows);
  const size_t row_bytes = rows->row_bytes();
  rocksdb::WriteBatch batch(plan.written.size() * (kRecordOverhead + row_bytes) + globals.size() +
                            plan.text_bytes);
  rocksdb::Status status = PutRows(impl, plan, row_bytes, *texts, &batch);
  if (status.ok()) status = PutProgress(globals, applied_seq, &batch);
  if (!status.ok()) return tl::unexpected(impl.Failure(status));
  if (auto written = impl.Write(&batch, /*sync=*/true); !written) return tl::unexpected(written.error());
  if (batch.GetDataSize() > kLargeBatch) {
    if (auto flushed = impl.Flush(/*wait=*/false); !flushed) return tl::unexpected(flushed.error());
  }
  Settle(plan, rows, texts);
  return WeightTable::CheckpointCounts{plan.written.size(), plan.removed.size()};
}

}  // namespace thresher::storage

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
constexpr size_t kRecordBytes = 5 + sizeof(uint64_t);  // a key and its lengths take in a batch
constexpr size_t kPrefetchAhead = 16;

Slice AsSlice(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Item {
  uint64_t id;  // the entry's, at hand for sorting
  RowSlots::Entry* entry;
};

// What there is to do, sorted by id: RocksDB inserts sorted keys fastest.
struct Plan {
  std::vector<Item> written;
  std::vector<Item> named;  // those of them whose texts are written as well
  std::vector<Item> removed;
  size_t batch_bytes = 0;  // about
};

void SortById(std::vector<Item>* items) {
  std::sort(items->begin(), items->end(), [](const Item& a, const Item& b) { return a.id < b.id; });
}

Plan MakePlan(bool sweep, const std::function<bool(const std::byte*)>& is_live, const TextArena& texts,
              RowSlots* rows) {
  Plan plan;
  rows->ForEach([&](RowSlots::Entry& entry) {
    const bool changed = (entry.state & kChanged) != 0;
    if (!changed && !sweep) return;
    const Item item{entry.id, &entry};
    if (!is_live(entry.row())) {
      plan.removed.push_back(item);
      return;
    }
    if (!changed) return;
    plan.written.push_back(item);
    plan.batch_bytes += kRecordBytes + rows->row_bytes();
    if (const uint64_t text = TextHandle(entry.state); text != 0) {
      plan.named.push_back(item);
      plan.batch_bytes += kRecordBytes + texts.Get(text).size();
    }
  });
  SortById(&plan.written);
  SortById(&plan.named);
  SortById(&plan.removed);
  return plan;
}

// put(item) for each, until one is refused. In the order of ids entries lie anywhere in memory.
template <class Put>
rocksdb::Status ForEachItem(const std::vector<Item>& items, const Put& put) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (i + kPrefetchAhead < items.size()) __builtin_prefetch(items[i + kPrefetchAhead].entry);
    if (rocksdb::Status status = put(items[i]); !status.ok()) return status;
  }
  return {};
}

rocksdb::Status PutNewBeginning(const Database::Impl& impl, const Meta& meta, rocksdb::WriteBatch* batch) {
  constexpr std::string_view kFirst;
  constexpr std::string_view kPastLast = "\xff\xff\xff\xff\xff\xff\xff\xff\xff";  // longer than an id
  rocksdb::Status status = PutMeta(meta, batch);
  for (const Family family : {Family::kWeights, Family::kTokens}) {
    if (status.ok()) status = batch->DeleteRange(impl.family(family), Slice(kFirst), Slice(kPastLast));
  }
  return status;
}

rocksdb::Status PutRows(const Database::Impl& impl, const Plan& plan, size_t row_bytes,
                        const TextArena& texts, rocksdb::WriteBatch* batch) {
  auto* weights = impl.family(Family::kWeights);
  auto* tokens = impl.family(Family::kTokens);
  rocksdb::Status status = ForEachItem(plan.written, [&](const Item& item) {
    return batch->Put(weights, IdKey(item.id).slice(), AsSlice({item.entry->row(), row_bytes}));
  });
  if (!status.ok()) return status;
  status = ForEachItem(plan.named, [&](const Item& item) {
    return batch->Put(tokens, IdKey(item.id).slice(), Slice(texts.Get(TextHandle(item.entry->state))));
  });
  if (!status.ok()) return status;
  return ForEachItem(plan.removed, [&](const Item& item) {
    if ((item.entry->state & kStored) == 0) return rocksdb::Status();
    const rocksdb::Status deleted = batch->Delete(weights, IdKey(item.id).slice());
    return deleted.ok() ? batch->Delete(tokens, IdKey(item.id).slice()) : deleted;
  });
}

rocksdb::Status PutProgress(std::span<const std::byte> globals, uint64_t applied_seq,
                            rocksdb::WriteBatch* batch) {
  std::string seq;
  AppendLittle(applied_seq, &seq);
  const auto status = batch->Put(Slice(kGlobalsKey), AsSlice(globals));
  return status.ok() ? batch->Put(Slice(kAppliedSeqKey), seq) : status;
}

// What is on disk now is no longer changed; what is dead leaves.
void Settle(const Plan& plan, RowSlots* rows, TextArena* texts) {
  for (const Item& item : plan.written) item.entry->state = kResident | kStored;
  texts->Clear();
  if (plan.removed.empty()) return;
  for (const Item& item : plan.removed) item.entry->state |= kDead;
  RowSlots live(rows->row_bytes());
  live.Reserve(rows->size() - plan.removed.size());
  rows->ForEach([&live](const RowSlots::Entry& entry) {
    if ((entry.state & kDead) == 0) live.InsertCopy(entry);
  });
  *rows = std::move(live);
}

}  // namespace

Result<WeightTable::CheckpointCounts> WriteCheckpoint(Database::Impl& impl, const Meta* new_meta, bool sweep,
                                                      std::span<const std::byte> globals,
                                                      uint64_t applied_seq,
                                                      const std::function<bool(const std::byte*)>& is_live,
                                                      RowSlots* rows, TextArena* texts) {
  const Plan plan = MakePlan(sweep, is_live, *texts, rows);
  rocksdb::WriteBatch batch(plan.batch_bytes + globals.size());
  rocksdb::Status status = new_meta == nullptr ? rocksdb::Status() : PutNewBeginning(impl, *new_meta, &batch);
  if (status.ok()) status = PutRows(impl, plan, rows->row_bytes(), *texts, &batch);
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

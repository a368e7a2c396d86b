#include "storage/checkpoint.h"

#include <future>
#include <map>
#include <string>
#include <utility>

#include "storage/byte_order.h"
#include "storage/checkpoint_plan.h"
#include "storage/model_meta.h"
#include "storage/multi_get.h"
#include "storage/resident_row.h"
#include "storage/table_files.h"

namespace thresher::storage {
namespace {

using rocksdb::Slice;
using Item = CheckpointPlan::Item;

constexpr size_t kRecordBytes = 5 + sizeof(uint64_t);  // a key and its lengths take in a batch
constexpr size_t kPrefetchAhead = 16;

// What a checkpoint puts into the store, whichever way it takes.
struct Content {
  const CheckpointPlan& plan;
  const TextArena& texts;
  size_t row_bytes;
  bool replaces_all;                        // rows and texts that are stored
  std::map<std::string, std::string> meta;  // entries of that family
};

size_t BytesAbout(const Content& content) {
  return content.plan.items.size() * (2 * kRecordBytes + content.row_bytes) + content.texts.bytes();
}

Slice AsSlice(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A family's part of a batch, to be written to like a table file.
struct BatchPart {
  rocksdb::WriteBatch* batch;
  rocksdb::ColumnFamilyHandle* family;
  rocksdb::Status Put(const Slice& key, const Slice& value) { return batch->Put(family, key, value); }
  rocksdb::Status Delete(const Slice& key) { return batch->Delete(family, key); }
  rocksdb::Status DeleteRange(const Slice& begin, const Slice& end) {
    return batch->DeleteRange(family, begin, end);
  }
};

// Rows or texts, of `content`: put(item) for those that live, and what is stored of the others is deleted. In
// the order of ids entries lie anywhere in memory.
template <class Out, class Put>
rocksdb::Status WriteById(const Content& content, Out& out, const Put& put) {
  constexpr std::string_view kFirst;
  constexpr std::string_view kPastLast = "\xff\xff\xff\xff\xff\xff\xff\xff\xff";  // longer than an id
  rocksdb::Status status;
  if (content.replaces_all) status = out.DeleteRange(Slice(kFirst), Slice(kPastLast));
  const auto& items = content.plan.items;
  for (size_t i = 0; i < items.size() && status.ok(); ++i) {
    if (i + kPrefetchAhead < items.size()) __builtin_prefetch(items[i + kPrefetchAhead].entry);
    if (!IsDead(items[i].entry->state)) {
      status = put(items[i]);
    } else if (IsStored(items[i].entry->state)) {
      status = out.Delete(IdKey(items[i].id).slice());
    }
  }
  return status;
}

template <class Out>
rocksdb::Status WriteRows(const Content& content, Out& out) {
  return WriteById(content, out, [&](const Item& item) {
    return out.Put(IdKey(item.id).slice(), AsSlice({item.entry->row(), content.row_bytes}));
  });
}

template <class Out>
rocksdb::Status WriteTexts(const Content& content, Out& out) {
  return WriteById(content, out, [&](const Item& item) {
    const std::string_view text = content.texts.Get(TextHandle(item.entry->state));
    return text.empty() ? rocksdb::Status() : out.Put(IdKey(item.id).slice(), Slice(text));
  });
}

template <class Out>
rocksdb::Status WriteMeta(const Content& content, Out& out) {
  rocksdb::Status status;
  for (const auto& [key, value] : content.meta) {
    if (status.ok()) status = out.Put(key, value);
  }
  return status;
}

Result<void> StoreAsBatch(Database::Impl& impl, const Content& content) {
  rocksdb::WriteBatch batch(BytesAbout(content));
  BatchPart rows{&batch, impl.family(Family::kWeights)};
  BatchPart texts{&batch, impl.family(Family::kTokens)};
  BatchPart meta{&batch, impl.family(Family::kMeta)};
  rocksdb::Status status = WriteRows(content, rows);
  if (status.ok()) status = WriteTexts(content, texts);
  if (status.ok()) status = WriteMeta(content, meta);
  if (!status.ok()) return tl::unexpected(impl.Failure(status));
  return impl.Write(&batch, /*sync=*/true);
}

Result<void> MakeTables(const Content& content, TableFiles* files) {
  if (auto begun = files->Begin(); !begun) return begun;
  // In a thread of their own, if one is to be had: they take as long as the rows.
  auto texts = std::async([&]() -> Result<void> {
    return files->Write(Family::kTokens, [&](auto& file) { return WriteTexts(content, file); });
  });
  const auto rows = files->Write(Family::kWeights, [&](auto& file) { return WriteRows(content, file); });
  const auto meta = files->Write(Family::kMeta, [&](auto& file) { return WriteMeta(content, file); });
  if (auto written = texts.get(); !written) return written;
  return rows ? meta : rows;
}

// What was written before goes to files at the same time, and is there first: no checkpoint is ever ahead of
// the log.
Result<void> StoreAsTables(Database::Impl& impl, const Content& content) {
  if (auto flushing = impl.Flush(/*wait=*/false); !flushing) return flushing;
  TableFiles files(impl);
  if (auto made = MakeTables(content, &files); !made) return impl.Fail(made.error());
  if (auto flushed = impl.Flush(/*wait=*/true); !flushed) return flushed;
  return files.TakeIn();
}

// What is on disk now is no longer changed; what is dead leaves.
void Settle(const CheckpointPlan& plan, RowSlots* rows, TextArena* texts) {
  for (const Item& item : plan.items) {
    if (!IsDead(item.entry->state)) item.entry->state = kResident | kStored | kRecent;
  }
  texts->Clear();
  if (plan.dead > 0) {
    rows->RemoveIf([](const RowSlots::Entry& entry) { return IsDead(entry.state); });
  }
}

}  // namespace

Result<WeightTable::CheckpointCounts> WriteCheckpoint(Database::Impl& impl, const NewState& state,
                                                      RowSlots* rows, TextArena* texts) {
  const CheckpointPlan plan = PlanCheckpoint(state.complete, state.is_live, rows);
  Content content{plan, *texts, rows->row_bytes(), state.new_meta != nullptr, {}};
  if (state.new_meta != nullptr) content.meta = MetaEntries(*state.new_meta);
  content.meta[std::string(kGlobalsKey)] = AsSlice(state.globals).ToString();
  AppendLittle(state.applied_seq, &content.meta[std::string(kAppliedSeqKey)]);
  content.meta[std::string(kLogExtentKey)] = EncodeLogExtent(impl.log_extent());
  const auto stored =
      BytesAbout(content) > impl.largest_batch() ? StoreAsTables(impl, content) : StoreAsBatch(impl, content);
  if (!stored) return tl::unexpected(stored.error());
  if (state.new_meta != nullptr) impl.set_meta(*state.new_meta);
  if (auto dropped = impl.DropExpired(); !dropped) return tl::unexpected(dropped.error());
  const auto weighing =
      state.complete ? WeighingRows(*rows, state.weighs) : WeighingRows(*state.before, plan, state.weighs);
  const auto published =
      PublishImage(impl, {impl.meta(), state.globals, state.applied_seq, rows->row_bytes(), weighing});
  Settle(plan, rows, texts);
  if (!published) return tl::unexpected(published.error());
  return WeightTable::CheckpointCounts{plan.items.size() - plan.dead, plan.dead};
}

}  // namespace thresher::storage

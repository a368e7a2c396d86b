#include "storage/checkpoint.h"

#include <algorithm>
#include <future>
#include <span>
#include <string>
#include <utility>

#include "storage/byte_order.h"
#include "storage/checkpoint_plan.h"
#include "storage/kept_examples.h"
#include "storage/model_meta.h"
#include "storage/multi_get.h"
#include "storage/resident_row.h"
#include "storage/score_image.h"
#include "storage/table_files.h"

namespace thresher::storage {
namespace {

using rocksdb::Slice;
using Item = CheckpointPlan::Item;
using Items = std::span<const Item>;

constexpr size_t kRecordBytes = 5 + sizeof(uint64_t);  // size of a key and its lengths in a batch
constexpr size_t kPrefetchAhead = 16;

// What a checkpoint writes, as a batch or as table files.
struct Content {
  const CheckpointPlan& plan;
  const TextArena& texts;
  size_t row_bytes;
  bool replaces_all;  // removes all stored rows and texts first
  MetaChanges meta;
};

size_t EstimateBytes(const Content& content) {
  size_t bytes = content.plan.items.size() * (2 * kRecordBytes + content.row_bytes) + content.texts.bytes();
  for (const auto& [key, value] : content.meta) bytes += key.size() + (value ? value->size() : 0);
  return bytes;
}

Slice AsSlice(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A family's part of a batch, with the interface of a table file.
struct BatchPart {
  rocksdb::WriteBatch* batch;
  rocksdb::ColumnFamilyHandle* family;
  rocksdb::Status Put(const Slice& key, const Slice& value) { return batch->Put(family, key, value); }
  rocksdb::Status Delete(const Slice& key) { return batch->Delete(family, key); }
  rocksdb::Status DeleteRange(const Slice& begin, const Slice& end) {
    return batch->DeleteRange(family, begin, end);
  }
};

// Writes the rows or the texts of these items: calls put(entry) for live rows and deletes prunable ones that
// are stored. Prefetches, as entries in the order of their ids lie at random addresses.
template <class Out, class Put>
rocksdb::Status WriteById(const Content& content, Items items, Out& out, const Put& put) {
  constexpr std::string_view kFirst;
  constexpr std::string_view kPastLast = "\xff\xff\xff\xff\xff\xff\xff\xff\xff";  // longer than an id
  rocksdb::Status status;
  if (content.replaces_all) status = out.DeleteRange(Slice(kFirst), Slice(kPastLast));
  for (size_t i = 0; i < items.size() && status.ok(); ++i) {
    if (i + kPrefetchAhead < items.size())
      __builtin_prefetch(&content.plan.EntryOf(items[i + kPrefetchAhead]));
    const RowSlots::Entry& entry = content.plan.EntryOf(items[i]);
    if (!IsPrunable(entry.state)) {
      status = put(entry);
    } else if (IsStored(entry.state)) {
      status = out.Delete(IdKey(entry.id).slice());
    }
  }
  return status;
}

template <class Out>
rocksdb::Status WriteRows(const Content& content, Items items, Out& out) {
  return WriteById(content, items, out, [&](const RowSlots::Entry& entry) {
    return out.Put(IdKey(entry.id).slice(), AsSlice({entry.row(), content.row_bytes}));
  });
}

template <class Out>
rocksdb::Status WriteTexts(const Content& content, Out& out) {
  return WriteById(content, content.plan.items, out, [&](const RowSlots::Entry& entry) {
    const std::string_view text = content.texts.Get(TextHandle(entry.state));
    return text.empty() ? rocksdb::Status() : out.Put(IdKey(entry.id).slice(), Slice(text));
  });
}

template <class Out>
rocksdb::Status WriteMeta(const Content& content, Out& out) {
  rocksdb::Status status;
  for (const auto& [key, value] : content.meta) {
    if (status.ok()) status = value ? out.Put(key, *value) : out.Delete(key);
  }
  return status;
}

Result<void> StoreAsBatch(DatabaseImpl& impl, const Content& content) {
  rocksdb::WriteBatch batch(EstimateBytes(content));
  BatchPart rows{&batch, impl.family(Family::kWeights)};
  BatchPart texts{&batch, impl.family(Family::kTokens)};
  BatchPart meta{&batch, impl.family(Family::kMeta)};
  rocksdb::Status status = WriteRows(content, content.plan.items, rows);
  if (status.ok()) status = WriteTexts(content, texts);
  if (status.ok()) status = WriteMeta(content, meta);
  if (!status.ok()) return tl::unexpected(impl.Failure(status));
  return impl.Write(&batch, /*sync=*/true);
}

// The first rows of a model become two files, each made in a thread of its own. Later ones would be two files
// to search. RocksDB takes each for a sorted run, and merges all runs when the newer ones are as large as the
// oldest: two halves would soon be merged, by a process that teaches one message. Files that do not overlap
// could be one run, but RocksDB 7.8 does not notice an error when it reads the second file of a run.
size_t ItemsOfFirstFile(const DatabaseImpl& impl, const Content& content) {
  const size_t all = content.plan.items.size();
  return content.replaces_all || impl.SortedRuns(Family::kWeights) > 0 ? all : all * 3 / 4;
}

Result<void> MakeTables(const DatabaseImpl& impl, const Content& content, TableFiles* files) {
  if (auto begun = files->Begin(); !begun) return begun;
  const Items items = content.plan.items;
  const size_t first = ItemsOfFirstFile(impl, content);
  const auto write_rows = [&](Items part, size_t number) {
    return files->Write(
        Family::kWeights, [&](auto& file) { return WriteRows(content, part, file); }, number);
  };
  // In threads of their own, if such can be started.
  auto more_rows = std::async([&]() -> Result<void> {
    return first < items.size() ? write_rows(items.subspan(first), 1) : Result<void>();
  });
  auto texts = std::async([&]() -> Result<void> {
    return files->Write(Family::kTokens, [&](auto& file) { return WriteTexts(content, file); });
  });
  const auto rows = write_rows(items.first(first), 0);
  const auto meta = files->Write(Family::kMeta, [&](auto& file) { return WriteMeta(content, file); });
  const auto others = {more_rows.get(), texts.get(), meta};
  const auto failed = std::ranges::find_if(others, [](const auto& each) { return !each; });
  return failed == others.end() ? rows : *failed;
}

// Flushes what was written before, at the same time, and waits for that before it takes the tables in: no
// checkpoint is ever ahead of the log.
Result<void> StoreAsTables(DatabaseImpl& impl, const Content& content) {
  if (auto flushing = impl.Flush(/*wait=*/false); !flushing) return flushing;
  TableFiles files(impl);
  if (auto made = MakeTables(impl, content, &files); !made) return impl.Fail(made.error());
  if (auto flushed = impl.Flush(/*wait=*/true); !flushed) return flushed;
  return files.TakeIn();
}

// After the write: the rows are no longer changed, and prunable ones leave memory.
void MarkStored(const CheckpointPlan& plan, TextArena* texts) {
  for (const Item& item : plan.items) {
    RowSlots::Entry& entry = plan.EntryOf(item);
    if (IsPrunable(entry.state)) continue;
    const uint64_t text = TextHandle(entry.state) != 0 ? kHasText : entry.state & kHasText;
    entry.state = kStored | kRecent | text;
  }
  texts->Clear();
  if (plan.prunable > 0) {
    plan.rows->RemoveIf([](const RowSlots::Entry& entry) { return IsPrunable(entry.state); });
  }
}

}  // namespace

Result<WeightTable::CheckpointCounts> WriteCheckpoint(DatabaseImpl& impl, const NewState& state,
                                                      RowSlots* rows, TextArena* texts) {
  const CheckpointPlan plan = PlanCheckpoint(state.complete, state.is_live, rows);
  std::optional<Meta>& new_meta = *state.new_meta;
  Content content{plan, *texts, rows->row_bytes(), new_meta.has_value(), {}};
  if (new_meta) {
    for (auto& [key, text] : MetaEntries(*new_meta)) content.meta[key] = text;
  }
  content.meta[std::string(kFormatKey)] = std::string(kFormat);
  content.meta[std::string(kGlobalsKey)] = AsSlice(state.globals).ToString();
  AppendLittle(state.applied_seq, &content.meta[std::string(kAppliedSeqKey)].emplace());
  content.meta[std::string(kLogExtentKey)] = EncodeLogExtent(impl.log_extent());
  if (auto kept = KeepExamples(impl, impl.needed_examples(), &content.meta); !kept)
    return tl::unexpected(kept.error());
  if (new_meta) {
    // Its number, globals and texts may be those of the new rows, too; a process that ends before the new
    // image is there would leave one of other rows.
    if (auto withdrawn = impl.WithdrawImage(); !withdrawn) return tl::unexpected(withdrawn.error());
    impl.ForgetImage();
  }
  if (impl.TakeRewriteDue()) content.meta[std::string(kRewriteDueKey)] = std::string();
  const bool as_tables = EstimateBytes(content) > impl.largest_batch();
  const ImageState image{state.globals, state.applied_seq, state.has_weight};
  // Beside the tables, in a thread of its own; a batch is not worth starting one.
  std::future<Result<void>> made;
  if (state.complete) {
    made = std::async(as_tables ? std::launch::async | std::launch::deferred : std::launch::deferred,
                      [&] { return MakeImage(impl, new_meta ? *new_meta : impl.meta(), image, *rows); });
  }
  const auto stored = as_tables ? StoreAsTables(impl, content) : StoreAsBatch(impl, content);
  if (!stored) return tl::unexpected(stored.error());
  if (new_meta) impl.set_meta(*new_meta);
  if (auto dropped = impl.DropExpired(); !dropped) return tl::unexpected(dropped.error());
  const auto published = state.complete ? PublishImage(impl, made.get())
                                        : PublishImage(impl, image, *state.before, plan, rows->row_bytes());
  impl.ForgetImage();
  MarkStored(plan, texts);
  new_meta.reset();
  if (!published) return tl::unexpected(published.error());
  return WeightTable::CheckpointCounts{plan.items.size() - plan.prunable, plan.prunable};
}

}  // namespace thresher::storage

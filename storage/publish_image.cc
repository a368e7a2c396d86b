#include "storage/publish_image.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "storage/byte_order.h"
#include "storage/model_meta.h"
#include "storage/resident_row.h"
#include "storage/sort_by_id.h"

namespace thresher::storage {
namespace {

using Rows = std::vector<ScoreImage::Row>;
using Item = CheckpointPlan::Item;

// Changes are written again by each writer and read by each reader, so they stay a fraction of the base.
constexpr size_t kShareOfChanges = 4;
constexpr size_t kFewChanges = 4096;

// Both have ascending ids. Calls keep(row) for the rows of `before` that are not planned, and change(entry)
// for those that are, in the order of ids.
template <class Keep, class Change>
void Merge(const Rows& before, const CheckpointPlan& plan, const Keep& keep, const Change& change) {
  size_t next = 0;
  for (const Item& item : plan.items) {
    const RowSlots::Entry& entry = plan.EntryOf(item);
    while (next < before.size() && before[next].id < entry.id) keep(before[next++]);
    if (next < before.size() && before[next].id == entry.id) ++next;
    change(entry);
  }
  while (next < before.size()) keep(before[next++]);
}

Rows RowsOf(const ImageFile* file) { return file != nullptr ? file->Rows() : Rows(); }

Rows WithWeight(const RowSlots& slots, const RowTest& has_weight) {
  const auto is_in = [&](const RowSlots::Entry& entry) {
    return !IsPrunable(entry.state) && has_weight(entry.row());
  };
  // Counted first, as an array that grows would take twice the memory.
  size_t count = 0;
  slots.ForEach([&](const RowSlots::Entry& entry) { count += is_in(entry) ? 1 : 0; });
  Rows rows;
  rows.reserve(count);
  slots.ForEach([&](const RowSlots::Entry& entry) {
    if (is_in(entry)) rows.push_back({entry.id, entry.row()});
  });
  SortById(
      std::span(rows), [](const ScoreImage::Row& row) { return static_cast<uint32_t>(row.id >> 32); },
      [](const ScoreImage::Row& row) { return row.id; });
  return rows;
}

Rows WithWeight(const ScoreImage& before, const CheckpointPlan& plan, const RowTest& has_weight) {
  Rows rows;
  const auto keep = [&](const ScoreImage::Row& row) {
    if (has_weight(row.bytes)) rows.push_back(row);
  };
  Merge(before.Rows(), plan, keep, [&](const RowSlots::Entry& entry) {
    if (!IsPrunable(entry.state)) keep({entry.id, entry.row()});
  });
  return rows;
}

// The rows in which the image now differs from the base of `before`. `none`: a row that is all zero.
Rows Changes(const ScoreImage& before, const CheckpointPlan& plan, const RowTest& has_weight,
             const std::byte* none) {
  Rows rows;
  const auto keep = [&](const ScoreImage::Row& row) { rows.push_back(row); };
  Merge(RowsOf(before.changes()), plan, keep, [&](const RowSlots::Entry& entry) {
    if (!IsPrunable(entry.state) && has_weight(entry.row())) {
      keep({entry.id, entry.row()});
    } else if (before.base().Find(entry.id) != nullptr) {
      keep({entry.id, none});
    }
  });
  return rows;
}

Result<void> OrWithdraw(const Result<void>& published, const DatabaseImpl& impl) {
  return published ? published : impl.WithdrawImage();
}

}  // namespace

std::optional<ScoreImage> CurrentImage(const DatabaseImpl& impl) {
  const auto applied = impl.Get(Family::kMeta, kAppliedSeqKey);
  if (!applied || !*applied || (*applied)->size() != sizeof(uint64_t)) return std::nullopt;
  const auto globals = impl.Get(Family::kMeta, kGlobalsKey);
  auto image = ScoreImage::Open(impl.dir());
  if (!image || !globals || !*globals) return std::nullopt;
  const std::string_view of_image(reinterpret_cast<const char*>(image->globals().data()),
                                  image->globals().size());
  const bool is_current = image->applied_seq() == LoadLittle<uint64_t>((*applied)->data()) &&
                          image->meta() == impl.meta() && of_image == **globals;
  if (!is_current) return std::nullopt;
  return image;
}

Result<void> MakeImage(const DatabaseImpl& impl, const Meta& meta, const ImageState& state,
                       const RowSlots& rows) {
  if (auto in_place = impl.CheckPlace(); !in_place) return in_place;
  const Rows all = WithWeight(rows, state.has_weight);
  return ScoreImage::Make(impl.dir(), {meta, state.globals, state.applied_seq, rows.row_bytes(), all});
}

Result<void> PublishImage(const DatabaseImpl& impl, const Result<void>& made) {
  if (auto in_place = impl.CheckPlace(); !in_place) return in_place;
  return OrWithdraw(made ? ScoreImage::Publish(impl.dir()) : made, impl);
}

Result<void> PublishImage(const DatabaseImpl& impl, const ImageState& state, const ScoreImage& before,
                          const CheckpointPlan& plan, size_t row_bytes) {
  if (auto in_place = impl.CheckPlace(); !in_place) return in_place;
  const std::vector<std::byte> none(row_bytes);
  const Rows changes = Changes(before, plan, state.has_weight, none.data());
  if (changes.size() <= std::max(kFewChanges, before.base().size() / kShareOfChanges)) {
    return OrWithdraw(
        ScoreImage::PublishChanges(impl.dir(), before,
                                   {impl.meta(), state.globals, state.applied_seq, row_bytes, changes}),
        impl);
  }
  const Rows all = WithWeight(before, plan, state.has_weight);
  return OrWithdraw(
      ScoreImage::Publish(impl.dir(), {impl.meta(), state.globals, state.applied_seq, row_bytes, all}), impl);
}

}  // namespace thresher::storage

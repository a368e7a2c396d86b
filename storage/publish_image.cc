#include "storage/publish_image.h"

#include <algorithm>
#include <string_view>

#include "storage/byte_order.h"
#include "storage/model_meta.h"
#include "storage/resident_row.h"

namespace thresher::storage {

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

std::vector<ScoreImage::Row> RowsWithWeight(const RowSlots& rows, const RowTest& has_weight) {
  std::vector<ScoreImage::Row> with_weight;
  rows.ForEach([&](const RowSlots::Entry& entry) {
    if (!IsPrunable(entry.state) && has_weight(entry.row())) with_weight.push_back({entry.id, entry.row()});
  });
  std::sort(with_weight.begin(), with_weight.end(),
            [](const ScoreImage::Row& a, const ScoreImage::Row& b) { return a.id < b.id; });
  return with_weight;
}

std::vector<ScoreImage::Row> RowsWithWeight(const ScoreImage& before, const CheckpointPlan& plan,
                                            const RowTest& has_weight) {
  std::vector<ScoreImage::Row> with_weight;
  with_weight.reserve(before.size() + plan.items.size());
  const auto add = [&](const ScoreImage::Row& row) {
    if (has_weight(row.bytes)) with_weight.push_back(row);
  };
  size_t next = 0;
  for (const CheckpointPlan::Item& item : plan.items) {
    while (next < before.size() && before[next].id < item.id) add(before[next++]);
    if (next < before.size() && before[next].id == item.id) ++next;
    if (!IsPrunable(item.entry->state)) add({item.id, item.entry->row()});
  }
  while (next < before.size()) add(before[next++]);
  return with_weight;
}

Result<void> PublishImage(const DatabaseImpl& impl, const ScoreImage::Content& content) {
  if (ScoreImage::Publish(impl.dir(), content)) return {};
  return ScoreImage::Withdraw(impl.dir());
}

}  // namespace thresher::storage

#include "storage/publish_image.h"

#include <algorithm>
#include <string_view>

#include "storage/byte_order.h"
#include "storage/model_meta.h"
#include "storage/resident_row.h"

namespace thresher::storage {
std::optional<ScoreImage> CurrentImage(const Database::Impl& impl) {
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

std::vector<ScoreImage::Row> WeighingRows(const RowSlots& rows, const RowTest& weighs) {
  std::vector<ScoreImage::Row> weighing;
  rows.ForEach([&](const RowSlots::Entry& entry) {
    if (!IsDead(entry.state) && weighs(entry.row())) weighing.push_back({entry.id, entry.row()});
  });
  std::sort(weighing.begin(), weighing.end(),
            [](const ScoreImage::Row& a, const ScoreImage::Row& b) { return a.id < b.id; });
  return weighing;
}

std::vector<ScoreImage::Row> WeighingRows(const ScoreImage& before, const CheckpointPlan& plan,
                                          const RowTest& weighs) {
  std::vector<ScoreImage::Row> weighing;
  weighing.reserve(before.size() + plan.items.size());
  const auto add = [&](const ScoreImage::Row& row) {
    if (weighs(row.bytes)) weighing.push_back(row);
  };
  size_t next = 0;
  for (const CheckpointPlan::Item& item : plan.items) {
    while (next < before.size() && before[next].id < item.id) add(before[next++]);
    if (next < before.size() && before[next].id == item.id) ++next;
    if (!IsDead(item.entry->state)) add({item.id, item.entry->row()});
  }
  while (next < before.size()) add(before[next++]);
  return weighing;
}

Result<void> PublishImage(const Database::Impl& impl, const ScoreImage::Content& content) {
  if (ScoreImage::Publish(impl.dir(), content)) return {};
  return ScoreImage::Withdraw(impl.dir());
}

}  // namespace thresher::storage

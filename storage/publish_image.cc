#include "storage/publish_image.h"

#include <algorithm>

#include "storage/byte_order.h"
#include "storage/model_meta.h"
#include "storage/resident_row.h"

namespace thresher::storage {
namespace {

bool IsDead(const RowSlots::Entry& entry) { return (entry.state & kDead) != 0; }

}  // namespace

std::optional<ScoreImage> CurrentImage(const Database::Impl& impl) {
  const auto applied = impl.Get(Family::kMeta, kAppliedSeqKey);
  if (!applied || !*applied || (*applied)->size() != sizeof(uint64_t)) return std::nullopt;
  auto image = ScoreImage::Open(impl.dir());
  if (!image || image->applied_seq() != LoadLittle<uint64_t>((*applied)->data()) ||
      image->meta() != impl.meta())
    return std::nullopt;
  return image;
}

std::vector<ScoreImage::Row> WeighingRows(const RowSlots& rows, const RowTest& weighs) {
  std::vector<ScoreImage::Row> weighing;
  rows.ForEach([&](const RowSlots::Entry& entry) {
    if (!IsDead(entry) && weighs(entry.row())) weighing.push_back({entry.id, entry.row()});
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
    if (!IsDead(*item.entry)) add({item.id, item.entry->row()});
  }
  while (next < before.size()) add(before[next++]);
  return weighing;
}

Result<void> PublishImage(const Database::Impl& impl, const ScoreImage::Content& content) {
  if (ScoreImage::Publish(impl.dir(), content)) return {};
  return ScoreImage::Withdraw(impl.dir());
}

}  // namespace thresher::storage

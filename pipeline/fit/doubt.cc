#include "pipeline/fit/doubt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "learners/batch/draw_order.h"
#include "learners/steps/array_model.h"
#include "pipeline/model/taught.h"

namespace thresher::pipeline {
namespace {

using learners::batch::SparseLines;
using FoldModel = learners::ArrayModel<>;

constexpr uint64_t kSeed = 1;  // of the order in which examples are taught

// Dealt class by class, so that each fold has its share of both.
std::vector<uint32_t> DealFolds(std::span<const float> targets) {
  std::array<uint32_t, 2> dealt = {};
  std::vector<uint32_t> folds;
  for (const float target : targets) folds.push_back(dealt[target > 0 ? 1 : 0]++ % kDoubtFolds);
  return folds;
}

std::vector<Doubt::Feature> StrongestAgainst(const SparseLines::Line& row, Label label,
                                             const FoldModel& model, size_t features) {
  std::vector<Doubt::Feature> against;
  for (size_t k = 0; k < row.size(); ++k) {
    const double contribution = model.Weight(row.indices[k]) * static_cast<double>(row.values[k]);
    if (Contradicts(contribution, label)) against.push_back({row.indices[k], contribution});
  }
  std::stable_sort(against.begin(), against.end(), [](const Doubt::Feature& a, const Doubt::Feature& b) {
    return std::abs(a.contribution) > std::abs(b.contribution);
  });
  against.resize(std::min(against.size(), features));
  return against;
}

class Rounds {
 public:
  Rounds(const ExampleStore& examples, std::shared_ptr<const learners::Learner> learner, size_t features,
         const OnProgress& on_progress)
      : view_(examples.View()),
        learner_(std::move(learner)),
        features_(features),
        on_progress_(on_progress),
        folds_(DealFolds(view_.targets)),
        left_out_(view_.targets.size()) {}

  std::vector<Doubt> Run() {
    std::vector<Doubt> doubts;
    for (uint32_t round = 0; round < kDoubtRounds; ++round) {
      left_out_.assign(left_out_.size(), false);
      for (const Doubt& doubt : doubts) left_out_[doubt.row] = true;
      doubts = Round(round + 1 == kDoubtRounds ? features_ : 0);
    }
    std::sort(doubts.begin(), doubts.end(), [](const Doubt& a, const Doubt& b) {
      return std::pair(-std::abs(a.margin), a.row) < std::pair(-std::abs(b.margin), b.row);
    });
    return doubts;
  }

 private:
  std::vector<Doubt> Round(size_t features) {
    const auto order = learners::batch::EpochOrder(learners::batch::DrawOrder::kPermuted,
                                                   view_.targets.size(), kSeed, /*epoch=*/0);
    std::vector<Doubt> doubts;
    for (uint32_t fold = 0; fold < kDoubtFolds; ++fold) {
      FoldModel model(learner_, view_.rows.width);
      for (const uint32_t i : order) {
        if (folds_[i] != fold && !left_out_[i]) Teach(i, model);
        if (on_progress_) on_progress_(++done_);
      }
      Judge(fold, features, model, &doubts);
    }
    return doubts;
  }

  void Teach(uint32_t i, FoldModel& model) const {
    const SparseLines::Line row = view_.rows[i];
    const double margin = model.Score(row.indices, row.values);
    model.Learn(row.indices, row.values, view_.LabelOf(i), margin);
  }

  void Judge(uint32_t fold, size_t features, FoldModel& model, std::vector<Doubt>* doubts) const {
    for (size_t i = 0; i < folds_.size(); ++i) {
      if (folds_[i] != fold) continue;
      const SparseLines::Line row = view_.rows[i];
      const double margin = model.Score(row.indices, row.values);
      const Label label = view_.LabelOf(i);
      if (!Contradicts(margin, label)) continue;
      auto against =
          features == 0 ? std::vector<Doubt::Feature>() : StrongestAgainst(row, label, model, features);
      doubts->push_back({i, margin, std::move(against)});
    }
  }

  learners::batch::Examples view_;
  std::shared_ptr<const learners::Learner> learner_;
  size_t features_;
  const OnProgress& on_progress_;
  std::vector<uint32_t> folds_;
  std::vector<bool> left_out_;
  uint64_t done_ = 0;
};

}  // namespace

Result<std::vector<Doubt>> FindDoubts(const ExampleStore& examples,
                                      const std::shared_ptr<const learners::Learner>& learner,
                                      size_t features, const OnProgress& on_progress) {
  const std::span<const float> targets = examples.targets();
  const auto spam = std::count_if(targets.begin(), targets.end(), [](float target) { return target > 0; });
  const auto ham = static_cast<std::ptrdiff_t>(targets.size()) - spam;
  if (std::min(ham, spam) < static_cast<std::ptrdiff_t>(kDoubtFolds)) {
    return tl::unexpected(Error{
        kData, fmt::format("labels can be doubted when there are at least {} messages of each class: the log "
                           "has {} ham and {} spam",
                           kDoubtFolds, ham, spam)});
  }
  return Rounds(examples, learner, features, on_progress).Run();
}

}  // namespace thresher::pipeline

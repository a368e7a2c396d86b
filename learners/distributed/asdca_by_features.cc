// Accelerated mini-batch dual ascent with the features divided among processes: batch/asdca.cc, which has the
// formulas. Every part has its slice of v and w, and all have α. A step sends the margins of a batch: a
// number for each of its examples.
//
// The order of additions in a margin depends on the parts, so that the steps are those of the serial solver
// but for rounding.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "learners/batch/asdca_parts.h"
#include "learners/batch/draw_order.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/distributed/feature_slices.h"
#include "learners/distributed/solver.h"
#include "learners/options.h"

namespace thresher::learners::distributed {
namespace {

class AsdcaByFeaturesSolver final : public Solver {
 public:
  AsdcaByFeaturesSolver(const Share& share, const OptionValues& complete, uint64_t seed)
      : share_(share),
        objective_{.loss = batch::ReadMarginLoss(complete), .l2 = NumberOption(complete, "l2")},
        seed_(seed),
        batch_(static_cast<size_t>(
            std::min(NumberOption(complete, "batch"), static_cast<double>(share.examples)))),
        per_unit_(1 / (objective_.l2 * static_cast<double>(share.examples))),
        alpha_(share.examples),
        v_(share.features),
        mixed_(share.features),
        own_weights_(share.features),
        weights_(share.features),
        changes_(batch_),
        slices_(share_),
        margins_(share.group, share.parts, batch_),
        figures_(share.group, share.parts, 3),
        theta_(Theta()) {}

  void Step() override {
    const std::vector<uint32_t> order =
        batch::EpochOrder(batch::DrawOrder::kPermuted, alpha_.size(), seed_, tally_.epochs);
    for (size_t begin = 0; begin < order.size(); begin += batch_) {
      Ascend(std::span(order).subspan(begin, std::min(batch_, order.size() - begin)));
    }
    tally_.Count(2 * share_.entries);
    ++tally_.epochs;
  }

  batch::Progress Report() override {
    batch::Progress progress = tally_.Begun(share_.entries);
    std::vector<double> margins;
    slices_.SumRows([&](const batch::Examples& part, size_t i) { return Dot(part.rows[i], own_weights_); },
                    &margins);
    double primal = 0;
    double dual = 0;
    for (size_t i = 0; i < alpha_.size(); ++i) {
      primal += objective_.loss.Value(margins[i], Target(i));
      dual += objective_.loss.DualValue(alpha_[i], Target(i));
    }
    std::array<double, 3> sums = {};
    for (size_t k = 0; k < share_.own.size(); ++k) {
      const std::span<const double> weights = slices_.SliceOf(k, own_weights_);
      sums = {objective_.Penalty(weights), objective_.Penalty(slices_.SliceOf(k, v_)),
              static_cast<double>(batch::CountNonzeros(weights))};
      figures_.Add(sums);
    }
    figures_.Finish(sums);
    const auto n = static_cast<double>(share_.examples);
    progress.primal = primal / n + sums[0];
    progress.gap = bound_.GapOf(progress.primal, dual / n - sums[1]);
    progress.nonzeros = static_cast<uint64_t>(sums[2]);
    return progress;
  }

  std::span<const double> Weights() override {
    slices_.Gather([&](size_t j) { return own_weights_[j]; }, &weights_);
    return weights_;
  }

  std::vector<std::span<double>> SharedMemory() override {
    return {alpha_, bound_.AsMemory(), tally_.AsMemory()};
  }
  std::vector<std::span<double>> PartMemory(size_t own_part) override {
    return {slices_.SliceOf(own_part, v_), slices_.SliceOf(own_part, own_weights_)};
  }

 private:
  double Target(size_t i) const { return share_.own.front().Target(i); }

  double Theta() {
    std::vector<double> squares;
    slices_.SumRows([](const batch::Examples& part, size_t i) { return SquaredNorm(part.rows[i]); },
                    &squares);
    const double largest = squares.empty() ? 0 : *std::ranges::max_element(squares);
    return batch::AsdcaTheta(objective_.loss, largest, batch_, per_unit_);
  }

  void Ascend(std::span<const uint32_t> batch) {
    for (size_t k = 0; k < share_.own.size(); ++k) {
      MixSlice(k);
      for (size_t b = 0; b < batch.size(); ++b) changes_[b] = Dot(share_.own[k].rows[batch[b]], mixed_);
      margins_.Add(changes_);
    }
    margins_.Finish(changes_);
    for (size_t b = 0; b < batch.size(); ++b) {
      const uint32_t i = batch[b];
      changes_[b] = -theta_ * (alpha_[i] + objective_.loss.Derivative(changes_[b], Target(i)));
      alpha_[i] += changes_[b];
    }
    for (size_t k = 0; k < share_.own.size(); ++k) {
      for (size_t b = 0; b < batch.size(); ++b)
        AddTo(share_.own[k].rows[batch[b]], changes_[b] * per_unit_, v_);
      const std::span<const double> v = slices_.SliceOf(k, v_);
      const std::span<double> weights = slices_.SliceOf(k, own_weights_);
      for (size_t j = 0; j < v.size(); ++j) weights[j] = (1 - theta_) * weights[j] + theta_ * v[j];
    }
  }

  // u, for the features of own part k.
  void MixSlice(size_t k) {
    const std::span<const double> v = slices_.SliceOf(k, v_);
    const std::span<const double> weights = slices_.SliceOf(k, own_weights_);
    const std::span<double> mixed = slices_.SliceOf(k, mixed_);
    for (size_t j = 0; j < v.size(); ++j) mixed[j] = (1 - theta_) * weights[j] + theta_ * v[j];
  }

  Share share_;
  batch::ElasticNetObjective objective_;
  uint64_t seed_;
  size_t batch_;
  double per_unit_;  // 1/(λn)
  std::vector<double> alpha_;
  std::vector<double> v_;            // 0 for the features of others, like the next two
  std::vector<double> mixed_;        // u
  std::vector<double> own_weights_;  // w
  std::vector<double> weights_;      // of all features, as Weights() returns them
  std::vector<double> changes_;      // margins of a batch, then changes of its α
  FeatureSlices slices_;
  TreeSum margins_;
  TreeSum figures_;
  double theta_;
  batch::BestBound bound_;
  batch::Tally tally_;
};

}  // namespace

SolverSpec AsdcaByFeatures() {
  return {
      .name = "asdca-by-features",
      .summary = "accelerated dual ascent in mini-batches, features divided among processes",
      .by = Share::By::kFeatures,
      .options = batch::kAsdcaOptions,
      .make = [](const Share& share, const OptionValues& complete, uint64_t seed) -> std::unique_ptr<Solver> {
        return std::make_unique<AsdcaByFeaturesSolver>(share, complete, seed);
      }};
}

}  // namespace thresher::learners::distributed

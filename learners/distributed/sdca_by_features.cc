// Dual coordinate ascent with the features divided among processes: the steps of batch/sdca.cc without
// shrinking, with an ℓ2 penalty and an ℓ1 one. For each example every part computes its share of the margin;
// the shares are added up, and all processes take the same step of α. A step sends a number.
//
// The order of additions in a margin depends on the parts, so that the steps are those of the serial solver
// but for rounding.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/dual_regulariser.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/margin_loss.h"
#include "learners/distributed/feature_slices.h"
#include "learners/distributed/solver.h"
#include "learners/distributed/tree_sum.h"
#include "learners/options.h"

namespace thresher::learners::distributed {
namespace {

using batch::SparseLines;

class SdcaByFeaturesSolver final : public Solver {
 public:
  SdcaByFeaturesSolver(const Share& share, const OptionValues& complete, uint64_t seed)
      : share_(share),
        loss_(batch::ReadMarginLoss(complete)),
        l2_(NumberOption(complete, "l2")),
        regulariser_(NumberOption(complete, "l1") / l2_, share.features),
        seed_(seed),
        per_unit_(1 / (l2_ * static_cast<double>(share.examples))),
        alpha_(share.examples),
        v_(share.features),
        weights_(share.features),
        slices_(share_),
        margin_(share.group, share.parts, 1),
        figures_(share.group, share.parts, 3) {
    Measure();
  }

  void Step() override {
    for (const uint32_t i :
         batch::EpochOrder(batch::DrawOrder::kPermuted, alpha_.size(), seed_, tally_.epochs))
      Visit(i);
    ++tally_.epochs;
  }

  batch::Progress Report() override {
    batch::Progress progress = tally_.Begun(share_.entries);
    double primal = 0;
    double dual = 0;
    std::vector<double> margins;
    slices_.SumRows([&](const batch::Examples& part, size_t i) { return ShareOfMargin(part, i); }, &margins);
    for (size_t i = 0; i < alpha_.size(); ++i) {
      primal += loss_.Value(margins[i], share_.own.front().Target(i));
      dual += loss_.DualValue(alpha_[i], share_.own.front().Target(i));
    }
    std::array<double, 3> sums = {};
    for (size_t k = 0; k < share_.own.size(); ++k) {
      const std::span<const double> v = slices_.SliceOf(k, v_);
      std::vector<double> weights;
      for (const double each : v) weights.push_back(regulariser_.Weight(each));
      sums = {regulariser_.Value(weights), regulariser_.Conjugate(v),
              static_cast<double>(batch::CountNonzeros(weights))};
      figures_.Add(sums);
    }
    figures_.Finish(sums);
    const auto n = static_cast<double>(share_.examples);
    progress.primal = primal / n + l2_ * sums[0];
    progress.gap = progress.primal - (dual / n - l2_ * sums[1]);
    progress.nonzeros = static_cast<uint64_t>(sums[2]);
    return progress;
  }

  std::span<const double> Weights() override {
    slices_.Gather([&](size_t j) { return regulariser_.Weight(v_[j]); }, &weights_);
    return weights_;
  }

  std::vector<std::span<double>> SharedMemory() override { return {alpha_, tally_.AsMemory()}; }
  std::vector<std::span<double>> PartMemory(size_t own_part) override {
    return {slices_.SliceOf(own_part, v_)};
  }

 private:
  // Squared norms and numbers of entries of whole rows.
  void Measure() {
    slices_.SumRows(
        [&](const batch::Examples& part, size_t i) { return regulariser_.Size(part.rows[i]) * per_unit_; },
        &curvatures_);
    slices_.SumRows(
        [](const batch::Examples& part, size_t i) { return static_cast<double>(part.rows[i].size()); },
        &sizes_);
  }

  double ShareOfMargin(const batch::Examples& part, size_t i) const {
    const SparseLines::Line x = part.rows[i];
    double a = 0;
    for (size_t e = 0; e < x.size(); ++e)
      a += regulariser_.Weight(v_[x.indices[e]]) * static_cast<double>(x.values[e]);
    return a;
  }

  void Visit(uint32_t i) {
    std::array<double, 1> a = {};
    for (const batch::Examples& part : share_.own) {
      a[0] = ShareOfMargin(part, i);
      margin_.Add(a);
    }
    margin_.Finish(a);
    const double next = loss_.DualStep(alpha_[i], a[0], share_.own.front().Target(i), curvatures_[i]);
    tally_.data_accesses += sizes_[i];
    if (next == alpha_[i]) return;
    for (const auto& own : share_.own) AddTo(own.rows[i], (next - alpha_[i]) * per_unit_, v_);
    alpha_[i] = next;
    tally_.data_accesses += sizes_[i];
  }

  Share share_;
  batch::MarginLoss loss_;
  double l2_;
  batch::ElasticNetRegulariser regulariser_;
  uint64_t seed_;
  double per_unit_;  // 1/(λ2 n)
  std::vector<double> alpha_;
  std::vector<double> curvatures_;  // q of each example
  std::vector<double> sizes_;       // entries of each row
  std::vector<double> v_;           // 0 for the features of others
  std::vector<double> weights_;
  FeatureSlices slices_;
  TreeSum margin_;
  TreeSum figures_;
  batch::Tally tally_;
};

constexpr std::array kSdcaByFeaturesOptions = {
    batch::kMarginLossOption,
    batch::kGammaOption,
    batch::BatchPenaltyOption("l1", "0", batch::kL1Help),
    batch::BatchPenaltyOption("l2", "0.0001", batch::kL2Help, false),
};

}  // namespace

SolverSpec SdcaByFeatures() {
  return {
      .name = "sdca-by-features",
      .summary = "dual coordinate ascent, features divided among processes",
      .by = Share::By::kFeatures,
      .options = kSdcaByFeaturesOptions,
      .make = [](const Share& share, const OptionValues& complete, uint64_t seed) -> std::unique_ptr<Solver> {
        return std::make_unique<SdcaByFeaturesSolver>(share, complete, seed);
      }};
}

}  // namespace thresher::learners::distributed

// Deterministic coordinate descent: Shalev-Shwartz & Tewari 2009, Section 4. The step of scd.cc, always on
// the coordinate whose bound falls most. To find it takes the whole gradient: a pass over all examples for
// one step, which is what the paper shows coordinate descent at random to save.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "learners/batch/coordinate_step.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kName = "detcd";

class DetCdSolver final : public Solver {
 public:
  DetCdSolver(const Examples& examples, const OptionValues& complete)
      : examples_(examples),
        objective_(ReadElasticNetObjective(complete)),
        steps_per_epoch_(static_cast<int>(NumberOption(complete, "steps"))),
        weights_(examples.rows.width),
        margins_(examples.rows.size()),
        slopes_(examples.rows.width) {
    curvatures_.reserve(examples.columns.size());
    for (size_t j = 0; j < examples.columns.size(); ++j) {
      const double of_loss = ColumnCurvature(examples.columns[j], margins_.size(), objective_.loss);
      curvatures_.push_back(of_loss == 0 ? 0 : of_loss + objective_.l2);
    }
  }

  void Step() override {
    for (int i = 0; i < steps_per_epoch_; ++i) Descend();
    ++tally_.epochs;
  }

  Progress Report() override {
    Progress progress = tally_.Begun(examples_.rows.entries());
    progress.primal = objective_.Primal(examples_, weights_, margins_);
    progress.gap = progress.primal - objective_.Dual(examples_, margins_);
    progress.nonzeros = CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override { return weights_; }
  std::vector<std::span<double>> Memory() override { return {weights_, margins_, tally_.AsMemory()}; }

  bool WarmStart(std::span<const double> weights) override {
    std::ranges::copy(weights, weights_.begin());
    ComputeMargins(examples_.rows, weights_, margins_);
    return true;
  }

 private:
  void Descend() {
    const auto n = static_cast<double>(margins_.size());
    for (size_t j = 0; j < weights_.size(); ++j) slopes_[j] = objective_.l2 * weights_[j];
    for (size_t i = 0; i < margins_.size(); ++i) {
      const double slope = objective_.loss.Derivative(margins_[i], static_cast<double>(examples_.targets[i]));
      AddTo(examples_.rows[i], slope / n, slopes_);
    }
    tally_.Count(examples_.rows.entries());
    size_t best = 0;
    double best_step = 0;
    double most = 0;
    for (size_t j = 0; j < weights_.size(); ++j) {
      if (curvatures_[j] == 0) continue;
      const double step = CoordinateStep(weights_[j], slopes_[j], curvatures_[j], objective_.l1);
      const double decrease =
          GuaranteedDecrease(weights_[j], slopes_[j], curvatures_[j], objective_.l1, step);
      if (decrease <= most) continue;
      most = decrease;
      best = j;
      best_step = step;
    }
    if (best_step == 0) return;
    weights_[best] += best_step;
    AddTo(examples_.columns[best], best_step, margins_);
    tally_.Count(examples_.columns[best].size());
  }

  Examples examples_;
  ElasticNetObjective objective_;
  int steps_per_epoch_;
  std::vector<double> weights_;
  std::vector<double> margins_;
  std::vector<double> slopes_;
  std::vector<double> curvatures_;
  Tally tally_;
};

constexpr std::array kOptions = {
    kCurvedLossOption,
    BatchPenaltyOption("l1", "0.0001", kL1Help),
    BatchPenaltyOption("l2", "0", kL2Help),
    OptionSpec{.name = "steps",
               .default_value = "1",
               .min = 1,
               .max = 1e9,
               .whole = true,
               .help = "steps that make an epoch, each a pass over all examples"},
};

std::unique_ptr<Solver> Make(const Examples& examples, const OptionValues& complete, uint64_t /*seed*/,
                             const Parallel& /*parallel*/) {
  return std::make_unique<DetCdSolver>(examples, complete);
}

}  // namespace

SolverSpec DetCd() {
  return {.name = kName,
          .summary = "coordinate descent on the coordinate that gains most",
          .source = "Shalev-Shwartz & Tewari 2009, Section 4",
          .cost = "O(nnz) for each step",
          .options = kOptions,
          .make = Make,
          .check = NeedsAPenalty};
}

}  // namespace thresher::learners::batch

// Deterministic coordinate descent: Shalev-Shwartz & Tewari 2009, Section 4. The step of scd.cc, always on
// the coordinate whose bound falls most. Finding that coordinate takes the whole gradient, a pass over all
// examples per step. The paper uses it to show what random coordinate descent saves.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "learners/batch/coordinate_step.h"
#include "learners/batch/primal_solver.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kDetcdName = "detcd";
constexpr std::array<std::string_view, 2> kBoundNames = {"column", "bound"};

class DetCdSolver final : public PrimalSolver {
 public:
  DetCdSolver(const Examples& examples, const OptionValues& complete)
      : PrimalSolver(examples, ReadElasticNetObjective(complete)),
        steps_per_epoch_(static_cast<int>(NumberOption(complete, "steps"))),
        slopes_(examples.rows.width) {
    curvatures_ = Curvatures(examples.columns, margins_.size(), objective_.loss,
                             WordOption(complete, "step") == "bound");
    for (double& curvature : curvatures_) curvature += curvature == 0 ? 0 : objective_.l2;
  }

  void Step() override {
    for (int i = 0; i < steps_per_epoch_; ++i) Descend();
    ++tally_.epochs;
  }

 private:
  void Descend() {
    const auto n = static_cast<double>(margins_.size());
    for (size_t j = 0; j < weights_.size(); ++j) slopes_[j] = objective_.l2 * weights_[j];
    for (size_t i = 0; i < margins_.size(); ++i) {
      const double slope = objective_.loss.Derivative(margins_[i], examples_.Target(i));
      AddTo(examples_.rows[i], slope / n, slopes_);
    }
    tally_.Count(examples_.rows.entries());
    size_t best = 0;
    double best_step = 0;
    double most = 0;
    for (size_t j = 0; j < weights_.size(); ++j) {
      if (curvatures_[j] == 0) continue;
      const double step = CoordinateStep(weights_[j], slopes_[j], curvatures_[j], objective_);
      const double decrease =
          GuaranteedDecrease(weights_[j], slopes_[j], curvatures_[j], objective_.l1, step);
      if (decrease <= most) continue;
      most = decrease;
      best = j;
      best_step = step;
    }
    if (best_step == 0) return;
    weights_[best] = objective_.Within(weights_[best] + best_step);
    AddTo(examples_.columns[best], best_step, margins_);
    tally_.Count(examples_.columns[best].size());
  }

  int steps_per_epoch_;
  std::vector<double> slopes_;
  std::vector<double> curvatures_;
};

constexpr std::array kDetcdOptions = {
    kCurvedLossOption,
    BatchPenaltyOption("l1", "0.0001", kL1Help),
    BatchPenaltyOption("l2", "0", kL2Help),
    kLowerOption,
    kUpperOption,
    OptionSpec{.name = "step",
               .default_value = "column",
               .choices = kBoundNames,
               .help = "curvature of a step: of the column, or one bound for all columns as in the paper"},
    OptionSpec{.name = "steps",
               .default_value = "1",
               .min = 1,
               .max = 1e9,
               .whole = true,
               .help = "steps per epoch; each is a pass over all examples"},
};

std::unique_ptr<Solver> MakeDetcd(const Examples& examples, const OptionValues& complete, uint64_t /*seed*/,
                                  const Parallel& /*parallel*/) {
  return std::make_unique<DetCdSolver>(examples, complete);
}

}  // namespace

SolverSpec DetCd() {
  return {.name = kDetcdName,
          .summary = "coordinate descent on the coordinate with the largest guaranteed decrease",
          .source = "Shalev-Shwartz & Tewari 2009, Section 4",
          .cost = "O(nnz) per step",
          .options = kDetcdOptions,
          .make = MakeDetcd,
          .check = NeedsAPenalty};
}

}  // namespace thresher::learners::batch

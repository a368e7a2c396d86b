// Stochastic gradient descent with step 1/(λt): a baseline of Shalev-Shwartz & Zhang 2013, Section 7.
//
//   w ← (1 − 1/t) w − φ_i'(⟨w,x_i⟩) x_i/(λt)       so that  w = u/(λt),  u = −Σ φ' x
// The slope of the squared loss has no bound, and its first steps would overflow. There φ' is taken at the
// new w (an implicit step, Kulis & Bartlett 2010), which it then has in closed form:
//   φ' = (⟨u,x_i⟩/(λt) − y_i)/(1 + ‖x_i‖²/(λt))
// The gap is that of elastic_net_objective.h, which does not converge to 0 for a hinge.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/primal_solver.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kSgdName = "sgd";

class SgdSolver final : public PrimalSolver {
 public:
  SgdSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : PrimalSolver(examples, {.loss = ReadMarginLoss(complete), .l2 = NumberOption(complete, "l2")}),
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        sum_(examples.rows.width) {}

  void Step() override {
    for (const uint32_t i : EpochOrder(order_, margins_.size(), seed_, tally_.epochs)) {
      const SparseLines::Line x = examples_.rows[i];
      AddTo(x, -Slope(x, examples_.Target(i)), sum_);
      tally_.Count(2 * x.size());
      ++steps_;
    }
    ++tally_.epochs;
  }

  Progress Report() override {
    ComputeMargins(examples_.rows, Weights(), margins_);
    return PrimalSolver::Report();
  }

  std::span<const double> Weights() override {
    std::ranges::transform(sum_, weights_.begin(), [unit = Unit()](double u) { return u * unit; });
    return weights_;
  }
  std::vector<std::span<double>> Memory() override {
    return {sum_, {&steps_, 1}, bound_.AsMemory(), tally_.AsMemory()};
  }
  bool WarmStart(std::span<const double> /*weights*/) override { return false; }

 private:
  double Slope(const SparseLines::Line& x, double target) const {
    const double dot = Dot(x, sum_);
    if (objective_.loss.kind != MarginLoss::Kind::kSquared)
      return objective_.loss.Derivative(dot * Unit(), target);
    const double step = 1 / (objective_.l2 * (steps_ + 1));
    return (dot * step - target) / (1 + step * SquaredNorm(x));
  }
  double Unit() const { return 1 / (objective_.l2 * std::max(steps_, 1.0)); }

  DrawOrder order_;
  uint64_t seed_;
  std::vector<double> sum_;  // u
  double steps_ = 0;         // t
};

constexpr std::array kSgdOptions = {
    kMarginLossOption,
    kGammaOption,
    BatchPenaltyOption("l2", "0.0001", kL2Help, false),
    kDrawOrderOption,
};

std::unique_ptr<Solver> MakeSgd(const Examples& examples, const OptionValues& complete, uint64_t seed,
                                const Parallel& /*parallel*/) {
  return std::make_unique<SgdSolver>(examples, complete, seed);
}

}  // namespace

SolverSpec Sgd() {
  return {.name = kSgdName,
          .summary = "stochastic gradient descent with step 1/(l2·t)",
          .source = "Shalev-Shwartz & Zhang 2013, Section 7; Shalev-Shwartz, Singer & Srebro 2007",
          .cost = "2 O(nnz)",
          .options = kSgdOptions,
          .make = MakeSgd};
}

}  // namespace thresher::learners::batch

// Stochastic gradient descent with step 1/(λt): the rival of Shalev-Shwartz & Zhang 2013, Section 7.
//
//   w ← (1 − 1/t) w − φ_i'(⟨w,x_i⟩) x_i/(λt)       so that always  w = u/(λt),  u = −Σ φ' x
// Its bound is that of elastic_net_objective.h, which for a hinge does not reach 0.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kName = "sgd";

class SgdSolver final : public Solver {
 public:
  SgdSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : examples_(examples),
        objective_{.loss = ReadMarginLoss(complete), .l2 = NumberOption(complete, "l2")},
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        sum_(examples.rows.width),
        weights_(examples.rows.width),
        margins_(examples.rows.size()) {}

  void Step() override {
    order_now_ = AllBelow(static_cast<uint32_t>(margins_.size()));
    Arrange(order_, Draws(seed_, static_cast<uint64_t>(tally_.epochs)), &order_now_);
    for (const uint32_t i : order_now_) {
      const SparseLines::Line x = examples_.rows[i];
      const double a = Dot(x, sum_) * Unit();
      const double slope = objective_.loss.Derivative(a, static_cast<double>(examples_.targets[i]));
      AddTo(x, -slope, sum_);
      tally_.Count(2 * x.size());
      ++steps_;
    }
    ++tally_.epochs;
  }

  Progress Report() override {
    Progress progress = tally_.Begun(examples_.rows.entries());
    ComputeMargins(examples_.rows, Weights(), margins_);
    progress.primal = objective_.Primal(examples_, weights_, margins_);
    progress.gap = progress.primal - objective_.Dual(examples_, margins_);
    progress.nonzeros = CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override {
    std::ranges::transform(sum_, weights_.begin(), [unit = Unit()](double u) { return u * unit; });
    return weights_;
  }
  std::vector<std::span<double>> Memory() override { return {sum_, {&steps_, 1}, tally_.AsMemory()}; }

 private:
  double Unit() const { return 1 / (objective_.l2 * std::max(steps_, 1.0)); }

  Examples examples_;
  ElasticNetObjective objective_;
  DrawOrder order_;
  uint64_t seed_;
  std::vector<double> sum_;  // u
  double steps_ = 0;         // t
  std::vector<double> weights_;
  std::vector<double> margins_;
  std::vector<uint32_t> order_now_;
  Tally tally_;
};

constexpr std::array kOptions = {
    kMarginLossOption,
    kGammaOption,
    BatchPenaltyOption("l2", "0.0001", kL2Help, false),
    kDrawOrderOption,
};

std::unique_ptr<Solver> Make(const Examples& examples, const OptionValues& complete, uint64_t seed,
                             const Parallel& /*parallel*/) {
  return std::make_unique<SgdSolver>(examples, complete, seed);
}

}  // namespace

SolverSpec Sgd() {
  return {.name = kName,
          .summary = "stochastic gradient descent with step 1/(l2·t)",
          .source = "Shalev-Shwartz & Zhang 2013, Section 7; Shalev-Shwartz, Singer & Srebro 2007",
          .cost = "O(nnz), twice",
          .options = kOptions,
          .make = Make};
}

}  // namespace thresher::learners::batch

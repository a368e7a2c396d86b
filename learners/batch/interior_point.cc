// The L1-regularised delta rule on stored examples, whose responses may be any numbers: Carbonetto, Schmidt &
// de Freitas, "An interior-point stochastic approximation method and an L1-regularized delta rule" (2008),
// Fig. 1 and Eq. 13, with λ/n = l1. learners/interior_point.cc has the formulas; it learns labels.
//
// Each example moves every weight, so an epoch takes O(n d). No weight ever is 0. Both parts of a weight that
// is to be 0 fall by at most l1 for each unit of the summed step lengths, so that they should begin small.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/primal_solver.h"
#include "learners/batch/solver_specs.h"
#include "learners/interior/dense_state.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kInteriorPointName = "interior-point";

std::span<double> AsNumbers(std::vector<Coordinate>& coordinates) {
  static_assert(sizeof(Coordinate) == 4 * sizeof(double));
  if (coordinates.empty()) return {};
  return {&coordinates.front().sides[0].b, 4 * coordinates.size()};
}

class InteriorPointSolver final : public PrimalSolver {
 public:
  InteriorPointSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : PrimalSolver(examples, {.loss = ReadMarginLoss(complete), .l1 = NumberOption(complete, "l1")}),
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        rates_{.kind = Schedule::Kind::kInverse,
               .first = NumberOption(complete, "learning_rate"),
               .horizon = NumberOption(complete, "schedule_horizon")},
        centering_(ReadCentering(complete)),
        state_(examples.rows.width, NumberOption(complete, "initial_b"), NumberOption(complete, "initial_z")),
        descent_(examples.rows.width) {}

  void Step() override {
    for (const uint32_t i : EpochOrder(order_, margins_.size(), seed_, tally_.epochs)) {
      const SparseLines::Line x = examples_.rows[i];
      const double residual = -objective_.loss.Derivative(Dot(x, weights_), examples_.Target(i));
      AddTo(x, residual, descent_);
      const auto step = static_cast<uint64_t>(steps_);
      state_.TakeStep(descent_, objective_.l1, rates_.Rate(step), centering_.Rate(step));
      for (const uint32_t j : x.indices) descent_[j] = 0;
      std::ranges::transform(state_.coordinates, weights_.begin(), &Coordinate::Weight);
      tally_.Count(2 * x.size());
      ++steps_;
    }
    ++tally_.epochs;
  }

  Progress Report() override {
    ComputeMargins(examples_.rows, weights_, margins_);
    return PrimalSolver::Report();
  }

  std::vector<std::span<double>> Memory() override {
    return MemoryWith({{&steps_, 1}, AsNumbers(state_.coordinates)});
  }
  bool WarmStart(std::span<const double> /*weights*/) override { return false; }

 private:
  DrawOrder order_;
  uint64_t seed_;
  Schedule rates_;
  Schedule centering_;
  DenseState state_;
  std::vector<double> descent_;  // minus the gradient of the example's loss
  double steps_ = 0;
};

constexpr std::array kInteriorPointOptions = {
    kSmoothLossOption,
    kGammaOption,
    BatchPenaltyOption("l1", "0.0001", kL1Help, false),
    OptionSpec{.name = "learning_rate",
               .default_value = "0.02",
               .min = 0,
               .max = 1,
               .min_excluded = true,
               .help = "longest step length, that of the first step"},
    OptionSpec{.name = "schedule_horizon",
               .default_value = "50",
               .min = 1,
               .max = 1e15,
               .help = "steps after which that length is half of the first"},
    OptionSpec{.name = "centering",
               .default_value = "0.5",
               .min = 0,
               .max = 1,
               .help = "σ: next barrier parameter over the current mean of z·b"},
    kCenteringScheduleOption,
    kCenteringHorizonOption,
    OptionSpec{.name = "initial_b",
               .default_value = "0.05",
               .min = 1e-9,
               .max = 1e6,
               .help = "initial value of both parts of each weight"},
    OptionSpec{.name = "initial_z",
               .default_value = "0.05",
               .min = 1e-9,
               .max = 1e6,
               .help = "initial value of their multipliers"},
    kDrawOrderOption,
};

std::unique_ptr<Solver> MakeInteriorPoint(const Examples& examples, const OptionValues& complete,
                                          uint64_t seed, const Parallel& /*parallel*/) {
  return std::make_unique<InteriorPointSolver>(examples, complete, seed);
}

}  // namespace

SolverSpec InteriorPoint() {
  return {.name = kInteriorPointName,
          .summary = "interior-point stochastic gradient: the L1-regularised delta rule",
          .source = "Carbonetto, Schmidt & de Freitas 2008, Fig. 1 and Eq. 13",
          .cost = "2 O(nnz), and O(examples · features) of arithmetic",
          .options = kInteriorPointOptions,
          .make = MakeInteriorPoint};
}

}  // namespace thresher::learners::batch

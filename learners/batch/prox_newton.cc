// Proximal Newton by coordinate descent: Yuan, Ho & Lin, "An Improved GLMNET for L1-regularized Logistic
// Regression" (2012). LIBLINEAR uses it for ℓ1.
//
//   P(w) = (1/n) Σ φ_i + (λ2/2)‖w‖² + λ1‖w‖₁
// An epoch replaces the loss by its second-order expansion at w and minimises it, with the penalties, by
// passes of coordinate descent over w + d:
//   r_i = (φ_i'(a_i) + φ_i''(a_i)⟨d,x_i⟩)/n
//   one step: slope Σ r_i x_ij + λ2(w_j + d_j), curvature Σ φ_i'' x_ij²/n + λ2
// The first pass visits all coordinates; the others visit those that are not 0, until they change a tenth of
// what the first pass changed. Where these are few, the passes use their Gram matrix instead of the examples,
// and continue to a hundredth. No pass computes an exponential. Then a line search takes w + βd with β = 1,
// ½, ¼, … until
//   P(w + βd) ≤ P(w) + β/100·(⟨∇,d⟩ + λ1(‖w + d‖₁ − ‖w‖₁))
// holds, so that the objective never rises.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "learners/batch/coordinate_step.h"
#include "learners/batch/draw_order.h"
#include "learners/batch/gap_safe.h"
#include "learners/batch/primal_solver.h"
#include "learners/batch/solver_specs.h"
#include "learners/batch/support_gram.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kProxNewtonName = "prox-newton";

class ProxNewtonSolver final : public PrimalSolver {
 public:
  ProxNewtonSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : PrimalSolver(examples, ReadElasticNetObjective(complete)),
        max_passes_(static_cast<int>(NumberOption(complete, "inner_passes"))),
        seed_(seed),
        is_screening_(objective_.l1 > 0 && SwitchOption(complete, "screening")),
        safe_(examples, objective_),
        next_(examples.rows.width),
        curvatures_(examples.rows.width),
        largest_curvatures_(
            Curvatures(examples.columns, margins_.size(), objective_.loss, /*one_for_all=*/false)),
        slopes_(examples.rows.size()),
        second_derivatives_(examples.rows.size()),
        margin_steps_(examples.rows.size()),
        tried_(examples.rows.size()),
        trial_(examples.rows.width) {}

  void Step() override {
    Draws draws(seed_, static_cast<uint64_t>(tally_.epochs));
    if (is_screening_ && tally_.epochs == 0) Screen(objective_.DualVariables(examples_, margins_));
    visited_ = is_screening_ ? safe_.Working(weights_) : AllBelow(static_cast<uint32_t>(weights_.size()));
    Expand();
    next_ = weights_;
    const double first = Pass(draws);
    std::erase_if(visited_, [this](uint32_t j) { return next_[j] == 0 && weights_[j] == 0; });
    tally_.Count(gram_.Build(examples_, visited_, second_derivatives_, slopes_));
    const double enough = (gram_ ? EnoughByGram() : kEnough) * first;
    for (int pass = 1; pass < max_passes_; ++pass) {
      if (Pass(Draws(draws.Next(), static_cast<uint64_t>(pass))) <= enough) break;
    }
    gram_.Clear();
    Search();
    if (is_screening_) Screen(ExpandedDual());
    ++tally_.epochs;
  }

  std::vector<std::span<double>> Memory() override { return MemoryWith(safe_.Memory()); }

 private:
  // Inner passes end when they change this share of what the first pass changed.
  static constexpr double kEnough = 0.1;
  static constexpr double kEnoughByGram = 0.01;
  static constexpr double kFinestByGram = 1e-4;
  static constexpr double kSufficient = 0.01;
  static constexpr int kMostHalvings = 40;
  static constexpr double kLeastCurvature = 1e-12;  // in units of the largest that the column can have

  // Near the minimum the steps of Newton's method double the number of right digits, if they are exact
  // enough.
  double EnoughByGram() const {
    if (!is_screening_) return kEnoughByGram;
    const double primal = objective_.Primal(examples_, weights_, margins_);
    return std::clamp((primal - safe_.bound()) / primal, kFinestByGram, kEnoughByGram);
  }

  // Computes the slopes of the expansion at the weights, and its curvatures along visited_.
  void Expand() {
    const auto n = static_cast<double>(margins_.size());
    for (size_t i = 0; i < margins_.size(); ++i) {
      const double slope = objective_.loss.Derivative(margins_[i], examples_.Target(i));
      slopes_[i] = slope / n;
      second_derivatives_[i] = objective_.loss.CurvatureAt(slope) / n;
    }
    for (const uint32_t j : visited_) {
      const SparseLines::Line column = examples_.columns[j];
      double sum = 0;
      for (size_t k = 0; k < column.size(); ++k) {
        const auto x = static_cast<double>(column.values[k]);
        sum += second_derivatives_[column.indices[k]] * x * x;
      }
      curvatures_[j] = sum;
      tally_.Count(column.size());
    }
    gradient_ = slopes_;
  }

  // Visits the coordinates of visited_; returns how far they moved, in units of the slope.
  double Pass(Draws draws) {
    Arrange(DrawOrder::kPermuted, draws, &visited_);
    double moved = 0;
    for (const uint32_t j : visited_) moved += Visit(j);
    return moved;
  }

  double SlopeOf(uint32_t j) {
    if (gram_) return gram_.SlopeOf(j);
    tally_.Count(examples_.columns[j].size());
    return Dot(examples_.columns[j], slopes_);
  }

  void Move(uint32_t j, double step) {
    next_[j] += step;
    if (gram_) {
      gram_.Move(j, step);
      return;
    }
    const SparseLines::Line column = examples_.columns[j];
    for (size_t k = 0; k < column.size(); ++k) {
      const uint32_t i = column.indices[k];
      slopes_[i] += second_derivatives_[i] * step * static_cast<double>(column.values[k]);
    }
    tally_.Count(column.size());
  }

  double Visit(uint32_t j) {
    const double slope = SlopeOf(j) + objective_.l2 * next_[j];
    if (next_[j] == 0 && std::abs(slope) <= objective_.l1) return 0;
    // Not below rounding where all second derivatives of the column vanish.
    const double curvature =
        std::max(curvatures_[j], kLeastCurvature * largest_curvatures_[j]) + objective_.l2;
    const double step = CoordinateStep(next_[j], slope, curvature, objective_);
    if (step == 0) return 0;
    Move(j, step);
    return std::abs(step) * curvature;
  }

  // The margins of next_, less those of the weights.
  void ComputeMarginSteps() {
    std::ranges::fill(margin_steps_, 0);
    for (size_t j = 0; j < next_.size(); ++j) {
      if (next_[j] == 0) continue;
      AddTo(examples_.columns[j], next_[j], margin_steps_);
      tally_.Count(examples_.columns[j].size());
    }
    for (size_t i = 0; i < margins_.size(); ++i) margin_steps_[i] -= margins_[i];
  }

  // The line search from the weights towards next_.
  void Search() {
    ComputeMarginSteps();
    double slope = objective_.l1 * (OneNorm(next_) - OneNorm(weights_));
    for (size_t j = 0; j < next_.size(); ++j) slope += objective_.l2 * weights_[j] * (next_[j] - weights_[j]);
    for (size_t i = 0; i < margin_steps_.size(); ++i) slope += gradient_[i] * margin_steps_[i];
    const double before = objective_.Primal(examples_, weights_, margins_);
    for (int halvings = 0; halvings < kMostHalvings; ++halvings) {
      const double length = std::ldexp(1.0, -halvings);
      for (size_t i = 0; i < tried_.size(); ++i) tried_[i] = margins_[i] + length * margin_steps_[i];
      for (size_t j = 0; j < trial_.size(); ++j) {
        trial_[j] = length == 1 ? next_[j] : weights_[j] + length * (next_[j] - weights_[j]);
      }
      if (objective_.Primal(examples_, trial_, tried_) > before + kSufficient * length * std::min(slope, 0.0))
        continue;
      weights_.swap(trial_);
      margins_.swap(tried_);
      return;
    }
  }

  // −n times the slopes of the expansion at next_, where its derivative along every non-zero weight is nearly
  // that of an optimum: an extrapolation of the dual variables that are optimal in the end. They are nearer
  // to feasible than those of the margins at next_, which differ from them by the square of the step.
  std::vector<double> ExpandedDual() const {
    const auto n = static_cast<double>(margins_.size());
    std::vector<double> alpha(margins_.size());
    for (size_t i = 0; i < alpha.size(); ++i) {
      alpha[i] = -n * (gradient_[i] + second_derivatives_[i] * margin_steps_[i]);
      if (!objective_.loss.IsOfClasses()) continue;
      const double y = examples_.Target(i);
      alpha[i] = y * std::clamp(y * alpha[i], 0.0, 1.0);
    }
    return alpha;
  }

  double LowerBound() override {
    if (!is_screening_) return PrimalSolver::LowerBound();
    if (tally_.epochs > 0) return safe_.bound();
    return safe_.BoundOf(objective_.DualVariables(examples_, margins_));
  }

  void Screen(std::span<const double> alpha) {
    tally_.Count(safe_.Offer(alpha));
    safe_.LeaveOut(objective_.Primal(examples_, weights_, margins_), weights_);
  }

  static double OneNorm(std::span<const double> weights) {
    double sum = 0;
    for (const double w : weights) sum += std::abs(w);
    return sum;
  }

  int max_passes_;
  uint64_t seed_;
  bool is_screening_;
  GapSafe safe_;
  std::vector<double> next_;                // w + d
  std::vector<double> curvatures_;          // of each coordinate visited, without λ2
  std::vector<double> largest_curvatures_;  // of each coordinate, at any weights
  std::vector<double> slopes_;              // r
  std::vector<double> second_derivatives_;  // φ''/n
  std::vector<double> margin_steps_;        // ⟨d,x_i⟩
  std::vector<double> gradient_;            // r at d = 0
  std::vector<double> tried_;               // margins of the line search
  std::vector<double> trial_;               // weights of the line search
  std::vector<uint32_t> visited_;
  SupportGram gram_;  // empty: passes read columns
};

constexpr std::array kProxNewtonOptions = {
    kCurvedLossOption,
    BatchPenaltyOption("l1", "0.0001", kL1Help),
    BatchPenaltyOption("l2", "0", kL2Help),
    OptionSpec{.name = "inner_passes",
               .default_value = "2000",
               .min = 1,
               .max = 1e6,
               .whole = true,
               .help = "most passes per epoch; all but the first visit non-zero weights only"},
    kScreeningOption,
};

std::unique_ptr<Solver> MakeProxNewton(const Examples& examples, const OptionValues& complete, uint64_t seed,
                                       const Parallel& /*parallel*/) {
  return std::make_unique<ProxNewtonSolver>(examples, complete, seed);
}

}  // namespace

SolverSpec ProxNewton() {
  return {.name = kProxNewtonName,
          .summary = "proximal Newton steps, solved by coordinate descent: high precision with l1",
          .source = "Yuan, Ho & Lin 2012",
          .cost = "3 O(nnz), and a pass over the columns of non-zero weights per inner pass",
          .options = kProxNewtonOptions,
          .make = MakeProxNewton,
          .check = NeedsAPenalty};
}

}  // namespace thresher::learners::batch

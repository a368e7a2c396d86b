// Stochastic coordinate descent for ℓ1-regularised loss: Shalev-Shwartz & Tewari, "Stochastic Methods for ℓ1
// Regularized Loss Minimization" (2009), Algorithms 1 and 2.
//
//   min (1/m) Σ L(⟨w,x_i⟩, y_i) + λ1‖w‖₁ + (λ2/2)‖w‖²,   l ≤ w_j ≤ u,   margins z_i = ⟨w,x_i⟩ cached
// One coordinate j after another, by its column alone:
//   g = (1/m) Σ L'(z_i, y_i) x_ij,   w_j ← soft(w_j − g/c, λ1/c),   z += (change of w_j)·column j
// The bounds, of which the paper says that they are easy, end a step that would leave them.
//
// `form` = split is that of the paper: v ∈ R^2d, v ≥ 0, x̂ = [x; −x], v_j += max(−v_j, −(g_j + λ1)/c), and
// w = v[1..d] − v[d+1..2d] (the paper misprints it the other way round). In half of its draws v_j is 0 and
// stays 0. `step` chooses c:
//   bound    β·max x²: that of the paper, for any scale of x_ij
//   column   β·(1/m)Σ_i x_ij²
//   local    the second derivative at w, (1/m)Σ L''(z_i) x_ij², times e^r, valid for steps that change no
//            margin by more than r (|L'''| ≤ L'' for logistic loss). After a step that is not 0,
//            r ← max(2|change|, r/2).
// With each, no step raises the objective (that of v, if `form` = split: a weight whose parts are both
// positive has a smaller penalty than they have).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "learners/batch/coordinate_step.h"
#include "learners/batch/draw_order.h"
#include "learners/batch/extrapolation.h"
#include "learners/batch/gap_safe.h"
#include "learners/batch/primal_solver.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kScdName = "scd";
constexpr std::array<std::string_view, 3> kStepNames = {"local", "column", "bound"};
constexpr std::array<std::string_view, 2> kFormNames = {"signed", "split"};

class ScdSolver final : public PrimalSolver {
 public:
  ScdSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : PrimalSolver(examples, ReadElasticNetObjective(complete)),
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        is_split_(WordOption(complete, "form") == "split"),
        is_local_(WordOption(complete, "step") == "local" &&
                  objective_.loss.kind == MarginLoss::Kind::kLogistic),
        support_passes_(static_cast<int>(NumberOption(complete, "support_passes"))),
        // With bounds, the minimum is not the one that GapSafe bounds.
        is_screening_(objective_.l1 > 0 && !objective_.HasBounds() && SwitchOption(complete, "screening")),
        safe_(examples, objective_),
        history_(is_screening_ ? margins_.size() : 0),
        parts_(is_split_ ? 2 * weights_.size() : 0),
        trusted_(is_local_ ? weights_.size() : 0, 1.0) {
    const SparseLines& columns = examples.columns;
    curvatures_ =
        Curvatures(columns, margins_.size(), objective_.loss, WordOption(complete, "step") == "bound");
    for (size_t j = 0; is_local_ && j < columns.size(); ++j) {
      largest_.push_back(LargestMagnitude(columns[j]));
    }
  }

  // A pass over all coordinates, then support_passes over those with a non-zero weight.
  void Step() override {
    if (static_cast<uint64_t>(tally_.epochs) % kRenewEvery == 0) {
      ComputeMargins(examples_.rows, weights_, margins_);  // so that rounding errors do not accumulate
      tally_.Count(examples_.rows.entries());
    }
    if (is_screening_ && static_cast<uint64_t>(tally_.epochs) % kScreenEvery == 0) Screen();
    Draws draws(seed_, static_cast<uint64_t>(tally_.epochs));
    visited_ = safe_.Left();
    const auto d = static_cast<uint32_t>(weights_.size());
    for (size_t k = 0, count = visited_.size(); is_split_ && k < count; ++k)
      visited_.push_back(d + visited_[k]);
    Pass(draws);
    for (int i = 0; i < support_passes_; ++i) {
      std::erase_if(visited_, [this](uint32_t j) { return (is_split_ ? parts_[j] : weights_[j]) == 0; });
      Pass(Draws(draws.Next(), static_cast<uint64_t>(i)));
    }
    ++tally_.epochs;
    if (is_screening_) history_.Keep(static_cast<size_t>(tally_.epochs), margins_);
  }

  Progress Report() override {
    std::vector<double> kept(margins_.size());  // so that a report does not change later steps
    margins_.swap(kept);
    ComputeMargins(examples_.rows, weights_, margins_);
    const Progress progress = PrimalSolver::Report();
    margins_.swap(kept);
    return progress;
  }

  std::vector<std::span<double>> Memory() override {
    std::vector<std::span<double>> more = safe_.Memory();
    more.insert(more.end(), {history_.AsMemory(), parts_, trusted_});
    return MemoryWith(more);
  }

  bool WarmStart(std::span<const double> weights) override {
    PrimalSolver::WarmStart(weights);
    const size_t d = weights_.size();
    for (size_t j = 0; is_split_ && j < d; ++j) {
      parts_[j] = std::max(weights_[j], 0.0);
      parts_[d + j] = std::max(-weights_[j], 0.0);
    }
    return true;
  }

 private:
  static constexpr uint64_t kRenewEvery = 64;
  static constexpr uint64_t kScreenEvery = 8;

  // Offers the dual variables of the margins and of what they seem to converge to.
  void Screen() {
    tally_.Count(safe_.Offer(objective_.DualVariables(examples_, margins_)));
    const std::vector<double> limit = history_.After(static_cast<size_t>(tally_.epochs));
    if (!limit.empty()) tally_.Count(safe_.Offer(objective_.DualVariables(examples_, limit)));
    safe_.LeaveOut(objective_.Primal(examples_, weights_, margins_), weights_);
  }

  double LowerBound() override {
    if (!is_screening_) return PrimalSolver::LowerBound();
    return std::max(safe_.bound(), safe_.BoundOf(objective_.DualVariables(examples_, margins_)));
  }

  void Pass(Draws draws) {
    if (visited_.empty()) return;
    Arrange(order_, draws, &visited_);
    for (const uint32_t j : visited_) is_split_ ? VisitPart(j) : Visit(j);
  }

  struct Local {
    double slope = 0;      // of the loss
    double curvature = 0;  // its second derivative
  };

  Local LocalAt(const SparseLines::Line& column) {
    tally_.Count(column.size());
    Local local;
    const auto m = static_cast<double>(margins_.size());
    for (size_t k = 0; k < column.size(); ++k) {
      const uint32_t i = column.indices[k];
      const auto x = static_cast<double>(column.values[k]);
      const double slope = objective_.loss.Derivative(margins_[i], examples_.Target(i));
      local.slope += slope * x;
      if (is_local_) local.curvature += objective_.loss.CurvatureAt(slope) * x * x;
    }
    return {local.slope / m, local.curvature / m};
  }

  // The curvature to use, and the longest step for which it is valid.
  struct Bounds {
    double curvature = 0;
    double farthest = MarginLoss::kInfinity;
  };
  Bounds BoundsAt(uint32_t j, const Local& local) const {
    if (!is_local_) return {.curvature = curvatures_[j]};
    // Where all derivatives are too small for a double their sum is 0, but the second derivative is not.
    const double here = std::max(local.curvature, std::numeric_limits<double>::min()) * std::exp(trusted_[j]);
    if (here >= curvatures_[j]) return {.curvature = curvatures_[j]};
    return {.curvature = here, .farthest = trusted_[j] / largest_[j]};
  }

  void Visit(uint32_t j) {
    const SparseLines::Line column = examples_.columns[j];
    const Local local = LocalAt(column);
    const double slope = local.slope + objective_.l2 * weights_[j];
    if (weights_[j] == 0 && std::abs(slope) <= objective_.l1) return;  // 0 is optimal
    const Bounds bounds = BoundsAt(j, local);
    const double curvature = bounds.curvature + objective_.l2;
    if (curvature == 0) {  // a column of zeros
      weights_[j] = 0;
      return;
    }
    const double step = std::clamp(CoordinateStep(weights_[j], slope, curvature, objective_),
                                   -bounds.farthest, bounds.farthest);
    if (is_local_ && step != 0) trusted_[j] = std::max(2 * std::abs(step) * largest_[j], trusted_[j] / 2);
    weights_[j] = objective_.Within(weights_[j] + step);
    Move(column, step);
  }

  void VisitPart(uint32_t part) {
    const auto d = static_cast<uint32_t>(weights_.size());
    const uint32_t j = part < d ? part : part - d;
    const double sign = part < d ? 1 : -1;
    const SparseLines::Line column = examples_.columns[j];
    const Local local = LocalAt(column);
    const Bounds bounds = BoundsAt(j, local);
    const double most = part < d ? objective_.upper : -objective_.lower;
    const double slope = sign * local.slope + objective_.l1;
    const double wanted = bounds.curvature == 0
                              ? -parts_[part]
                              : std::clamp(-slope / bounds.curvature, -parts_[part], most - parts_[part]);
    const double step = std::clamp(wanted, -bounds.farthest, bounds.farthest);
    if (is_local_ && step != 0) trusted_[j] = std::max(2 * std::abs(step) * largest_[j], trusted_[j] / 2);
    parts_[part] = std::min(parts_[part] + step, most);
    const double weight = parts_[j] - parts_[d + j];
    Move(column, weight - weights_[j]);
    weights_[j] = weight;
  }

  void Move(const SparseLines::Line& column, double step) {
    if (step == 0) return;
    AddTo(column, step, margins_);
    tally_.Count(column.size());
  }

  DrawOrder order_;
  uint64_t seed_;
  bool is_split_;
  bool is_local_;
  int support_passes_;
  bool is_screening_;
  GapSafe safe_;
  Extrapolation history_;        // of the margins after each epoch
  std::vector<double> parts_;    // v of the split form
  std::vector<double> trusted_;  // r of each column
  std::vector<double> curvatures_;
  std::vector<double> largest_;  // |x_ij| of each column
  std::vector<uint32_t> visited_;
};

constexpr std::array kScdOptions = {
    kCurvedLossOption,
    BatchPenaltyOption("l1", "0.0001", kL1Help),
    BatchPenaltyOption("l2", "0", kL2Help),
    kLowerOption,
    kUpperOption,
    OptionSpec{.name = "form",
               .default_value = "signed",
               .choices = kFormNames,
               .help = "one signed weight per feature, or two non-negative parts as in the paper"},
    OptionSpec{.name = "step",
               .default_value = "local",
               .choices = kStepNames,
               .help = "curvature of a step: at the weights, of the column, or one bound for all columns"},
    OptionSpec{.name = "support_passes",
               .default_value = "2",
               .min = 0,
               .max = 1000,
               .whole = true,
               .help = "passes over the non-zero weights after each pass over all"},
    kDrawOrderOption,
    kScreeningOption,
};

OptionFault Check(const OptionValues& complete) {
  if (WordOption(complete, "form") == "split" && NumberOption(complete, "l2") > 0) {
    return {"l2", "form is \"split\" and l2 is above 0; expected l2 = 0 in that form"};
  }
  return NeedsAPenalty(complete);
}

std::unique_ptr<Solver> MakeScd(const Examples& examples, const OptionValues& complete, uint64_t seed,
                                const Parallel& /*parallel*/) {
  return std::make_unique<ScdSolver>(examples, complete, seed);
}

}  // namespace

SolverSpec Scd() {
  return {.name = kScdName,
          .summary = "stochastic coordinate descent with cached margins: l1 and elastic net",
          .source = "Shalev-Shwartz & Tewari 2009, Algorithms 1 and 2",
          .cost = "O(nnz) to read the columns, and again for those whose weight changes",
          .options = kScdOptions,
          .make = MakeScd,
          .check = Check};
}

}  // namespace thresher::learners::batch

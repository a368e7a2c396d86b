// Forward greedy selection on the ℓ1-ball, min f(w) = (1/n) Σ φ_i(⟨w,x_i⟩) with ‖w‖₁ ≤ z: Frank & Wolfe, "An
// algorithm for quadratic programming" (1956), the deterministic rival of Shalev-Shwartz & Tewari (2009),
// Section 1.1.
//
//   j = argmax |∇_j f(w)|,   v = −z sgn(∇_j f) e_j,   w ← w + γ(v − w)
// v is where the ball goes farthest against the gradient. So f(w) − min f ≤ ⟨∇f, w − v⟩, the gap that is
// reported. `step` chooses γ ≤ 1:
//   curvature   ⟨∇f, w − v⟩/(β(1/n) Σ ⟨v − w, x_i⟩²), the minimum of a bound of f along the step
//   inverse     2/(t + 2), whatever the examples
// With either, O(z²/ε) steps reach f ≤ min f + ε. An epoch is one step, for which all examples are read.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "learners/batch/ball_descent.h"
#include "learners/batch/primal_solver.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kFrankWolfeName = "frank-wolfe";
constexpr std::array<std::string_view, 2> kFrankWolfeSteps = {"curvature", "inverse"};

class FrankWolfeSolver final : public PrimalSolver {
 public:
  FrankWolfeSolver(const Examples& examples, const OptionValues& complete)
      : PrimalSolver(examples, {.loss = ReadMarginLoss(complete)}),
        radius_(NumberOption(complete, "radius")),
        follows_curvature_(WordOption(complete, "step") == "curvature"),
        gradient_(examples.rows.width),
        direction_(margins_.size()) {}

  void Step() override {
    const Vertex vertex = FindVertex();
    tally_.Count(examples_.rows.entries());
    if (vertex.gap > 0) MoveTowards(vertex);
    ++tally_.epochs;
  }

  // Other weights may be outside the ball.
  bool WarmStart(std::span<const double> /*weights*/) override { return false; }

 private:
  // v, which has one non-zero coordinate.
  struct Vertex {
    size_t feature = 0;
    double weight = 0;
    double gap = 0;  // ⟨∇f, w − v⟩
  };

  // Reads all examples.
  Vertex FindVertex() {
    const auto n = static_cast<double>(margins_.size());
    std::ranges::fill(gradient_, 0.0);
    for (size_t i = 0; i < margins_.size(); ++i) {
      AddTo(examples_.rows[i], objective_.loss.Derivative(margins_[i], examples_.Target(i)) / n, gradient_);
    }
    Vertex vertex;
    double steepest = 0;
    for (size_t j = 0; j < gradient_.size(); ++j) {
      vertex.gap += gradient_[j] * weights_[j];
      if (std::abs(gradient_[j]) <= steepest) continue;
      steepest = std::abs(gradient_[j]);
      vertex.feature = j;
    }
    if (steepest > 0) vertex.weight = -std::copysign(radius_, gradient_[vertex.feature]);
    vertex.gap += radius_ * steepest;
    return vertex;
  }

  void MoveTowards(const Vertex& vertex) {
    const SparseLines::Line column = examples_.columns[vertex.feature];
    std::ranges::transform(margins_, direction_.begin(), [](double margin) { return -margin; });
    AddTo(column, vertex.weight, direction_);
    tally_.Count(column.size());
    const double share = follows_curvature_ ? ShareByCurvature(vertex.gap) : 2 / (tally_.epochs + 2);
    for (double& weight : weights_) weight -= share * weight;
    weights_[vertex.feature] += share * vertex.weight;
    // Errors shrink with the margins, so these need not be computed anew.
    for (size_t i = 0; i < margins_.size(); ++i) margins_[i] += share * direction_[i];
  }

  double ShareByCurvature(double gap) const {
    double squares = 0;
    for (const double change : direction_) squares += change * change;
    const double curvature = objective_.loss.Smoothness() * squares / static_cast<double>(margins_.size());
    return gap < curvature ? gap / curvature : 1;
  }

  double LowerBound() override { return objective_.Primal(examples_, weights_, margins_) - FindVertex().gap; }

  double radius_;
  bool follows_curvature_;
  std::vector<double> gradient_;
  std::vector<double> direction_;  // of the margins
};

constexpr std::array kFrankWolfeOptions = {
    kSmoothLossOption,
    kGammaOption,
    kBallRadiusOption,
    OptionSpec{.name = "step",
               .default_value = "curvature",
               .choices = kFrankWolfeSteps,
               .help = "length of a step: from a bound of the curvature along it, or 2/(t + 2)"},
};

std::unique_ptr<Solver> MakeFrankWolfe(const Examples& examples, const OptionValues& complete,
                                       uint64_t /*seed*/, const Parallel& /*parallel*/) {
  return std::make_unique<FrankWolfeSolver>(examples, complete);
}

}  // namespace

SolverSpec FrankWolfe() {
  return {.name = kFrankWolfeName,
          .summary = "greedy coordinate descent on the ball ‖w‖₁ ≤ radius",
          .source = "Frank & Wolfe 1956; the rival in Section 1.1 of Shalev-Shwartz & Tewari 2009",
          .cost = "O(nnz) per step",
          .options = kFrankWolfeOptions,
          .make = MakeFrankWolfe};
}

}  // namespace thresher::learners::batch

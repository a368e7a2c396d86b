#include "learners/batch/accelerated_gradient.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "learners/batch/primal_solver.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::batch {
namespace {

class AcceleratedGradient final : public PrimalSolver {
 public:
  AcceleratedGradient(const Examples& examples, const OptionValues& complete, Momentum momentum)
      : PrimalSolver(examples, ReadElasticNetObjective(complete)),
        momentum_(std::move(momentum)),
        ahead_(examples.rows.width),
        margins_ahead_(examples.rows.size()),
        gradient_(examples.rows.width),
        next_(examples.rows.width),
        next_margins_(examples.rows.size()) {
    double squares = 0;
    for (size_t i = 0; i < margins_.size(); ++i) squares += SquaredNorm(examples.rows[i]);
    // The mean curvature along a row: at most the largest curvature, at least that over the number of
    // features.
    curvature_ = objective_.l2 + objective_.loss.Smoothness() * squares /
                                     static_cast<double>(margins_.size()) * kFirstCurvature;
    if (curvature_ == 0) curvature_ = 1;  // the matrix is empty
  }

  void Step() override {
    ComputeGradient();
    const double at_ahead = Smooth(ahead_, margins_ahead_);
    while (!TryStep(at_ahead)) curvature_ *= 2;
    ++tally_.epochs;
    const double momentum = momentum_(tally_.epochs, curvature_);
    Extrapolate(momentum, next_, weights_, ahead_);
    Extrapolate(momentum, next_margins_, margins_, margins_ahead_);
    weights_.swap(next_);
    margins_.swap(next_margins_);
  }

  std::vector<std::span<double>> Memory() override {
    return MemoryWith({ahead_, margins_ahead_, {&curvature_, 1}});
  }

  bool WarmStart(std::span<const double> weights) override {
    PrimalSolver::WarmStart(weights);
    ahead_ = weights_;
    margins_ahead_ = margins_;
    return true;
  }

 private:
  void ComputeGradient() {
    const auto n = static_cast<double>(margins_.size());
    for (size_t j = 0; j < gradient_.size(); ++j) gradient_[j] = objective_.l2 * ahead_[j];
    for (size_t i = 0; i < margins_.size(); ++i) {
      const double slope = objective_.loss.Derivative(margins_ahead_[i], examples_.Target(i));
      if (slope != 0) AddTo(examples_.rows[i], slope / n, gradient_);
    }
    tally_.Count(examples_.rows.entries());
  }

  double Smooth(std::span<const double> weights, std::span<const double> margins) const {
    double sum = 0;
    for (size_t i = 0; i < margins.size(); ++i) sum += objective_.loss.Value(margins[i], examples_.Target(i));
    double squares = 0;
    for (const double w : weights) squares += w * w;
    return sum / static_cast<double>(margins.size()) + objective_.l2 / 2 * squares;
  }

  // Computes next_ and next_margins_; returns whether the curvature was large enough.
  bool TryStep(double at_ahead) {
    const GradientStep step = TakeGradientStep(ahead_, gradient_, curvature_, objective_.l1, next_);
    ComputeMargins(examples_.rows, next_, next_margins_);
    tally_.Count(examples_.rows.entries());
    return step.Holds(at_ahead, Smooth(next_, next_margins_), curvature_);
  }

  Momentum momentum_;
  std::vector<double> ahead_;  // u
  std::vector<double> margins_ahead_;
  double curvature_ = 0;  // L
  std::vector<double> gradient_;
  std::vector<double> next_;
  std::vector<double> next_margins_;
};

}  // namespace

bool GradientStep::Holds(double f_at_u, double f_at_next, double curvature) const {
  const double bound = f_at_u + slope + curvature / 2 * squares;
  const double rounding = 1e-14 * (1 + std::abs(f_at_u));
  return !(f_at_next > bound + rounding) || squares == 0;
}

GradientStep TakeGradientStep(std::span<const double> u, std::span<const double> gradient, double curvature,
                              double l1, std::span<double> next) {
  GradientStep step;
  for (size_t j = 0; j < next.size(); ++j) {
    next[j] = SoftThreshold(u[j] - gradient[j] / curvature, l1 / curvature);
    const double moved = next[j] - u[j];
    step.slope += gradient[j] * moved;
    step.squares += moved * moved;
  }
  return step;
}

void Extrapolate(double momentum, std::span<const double> to, std::span<const double> from,
                 std::span<double> beyond) {
  for (size_t j = 0; j < to.size(); ++j) beyond[j] = to[j] + momentum * (to[j] - from[j]);
}

std::unique_ptr<Solver> MakeAcceleratedGradient(const Examples& examples, const OptionValues& complete,
                                                Momentum momentum) {
  return std::make_unique<AcceleratedGradient>(examples, complete, std::move(momentum));
}

}  // namespace thresher::learners::batch

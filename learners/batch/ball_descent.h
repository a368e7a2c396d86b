// Projected gradient descent on ℓ1-balls: Duchi et al. 2008, Section 7.1. Shared by projected_gradient.cc
// (one ball) and multiclass_logistic.cc (one ball per class).
//
//   w ← Π(w − η ∇f(w)),  each output's weights projected onto ‖·‖₁ ≤ z       (ball_threshold.h)
// `fixed`: η = η0/√t. `line-search`: η starts at twice the last one and is halved until
//   f(w⁺) ≤ f(w) + ⟨∇f(w), w⁺ − w⟩ + ‖w⁺ − w‖²/(2η)
// The gap: f − min f ≤ ⟨∇f, w⟩ + z‖∇f‖∞, summed over outputs, by convexity of f; the bound is taken at the
// vertex of the ball opposite to ∇f (Frank & Wolfe 1956).
//
// Thread-safety: as Solver.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "learners/batch/examples.h"
#include "learners/batch/solver.h"
#include "learners/options.h"

namespace thresher::learners::batch {

// The loss of one row, a function of its margins, one per output.
class RowLoss {
 public:
  virtual ~RowLoss() = default;
  virtual size_t Outputs() const = 0;
  virtual double Value(std::span<const double> margins, double target) const = 0;
  // Replaces margins by the derivatives in them.
  virtual void Differentiate(std::span<double> margins, double target) const = 0;
};

// `complete` has radius, step and learning_rate.
std::unique_ptr<Solver> MakeBallDescent(const Examples& examples, const OptionValues& complete,
                                        std::unique_ptr<RowLoss> loss);

inline constexpr std::array<std::string_view, 2> kBallStepNames = {"line-search", "fixed"};
inline constexpr OptionSpec kBallRadiusOption = {
    .name = "radius",
    .default_value = "100",
    .min = 1e-9,
    .max = 1e9,
    .help = "upper bound of ‖w‖₁; smaller values give sparser models"};
inline constexpr OptionSpec kBallStepOption = {.name = "step",
                                               .default_value = "line-search",
                                               .choices = kBallStepNames,
                                               .help = "how the learning rate is chosen"};
inline constexpr OptionSpec kBallRateOption = {.name = "learning_rate",
                                               .default_value = "1",
                                               .min = 0,
                                               .max = 1e9,
                                               .min_excluded = true,
                                               .help = "learning rate of the first step"};

}  // namespace thresher::learners::batch

// Nesterov's accelerated gradient with a proximal map, shared by agd.cc, fista.cc and, for its steps,
// distributed/agd_by_examples.cc.
//
//   f(w) = (1/n) Σ φ_i + (λ2/2)‖w‖²,  P = f + λ1‖w‖₁
//   w⁺ = soft(u − ∇f(u)/L, λ1/L),  u ← w⁺ + momentum·(w⁺ − w)
// L is doubled until f(w⁺) ≤ f(u) + ⟨∇f(u), w⁺ − u⟩ + (L/2)‖w⁺ − u‖² (Beck & Teboulle 2009, Section 4).
// Margins are linear in w, so those of u cost no pass over the examples. Objective and gap may rise in a
// step.
//
// Thread-safety: as Solver.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "learners/batch/examples.h"
#include "learners/batch/solver.h"
#include "learners/options.h"

namespace thresher::learners::batch {

// The momentum after step t = 1, 2, … with curvature L.
using Momentum = std::function<double(double step, double curvature)>;

// `complete` has loss, gamma, l1 and l2.
std::unique_ptr<Solver> MakeAcceleratedGradient(const Examples& examples, const OptionValues& complete,
                                                Momentum momentum);

// The first L is this share of the mean curvature along a row, plus λ2.
inline constexpr double kFirstCurvature = 1.0 / 64;

// A step from u to w⁺ with some L.
struct GradientStep {
  double slope = 0;    // ⟨∇f(u), w⁺ − u⟩
  double squares = 0;  // ‖w⁺ − u‖²

  // Whether L was large enough, but for rounding: f(w⁺) is not above the bound.
  bool Holds(double f_at_u, double f_at_next, double curvature) const;
};

// Computes next = w⁺.
GradientStep TakeGradientStep(std::span<const double> u, std::span<const double> gradient, double curvature,
                              double l1, std::span<double> next);

// beyond = to + momentum·(to − from)
void Extrapolate(double momentum, std::span<const double> to, std::span<const double> from,
                 std::span<double> beyond);

}  // namespace thresher::learners::batch

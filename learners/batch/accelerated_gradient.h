// Nesterov's accelerated gradient with a proximal map, shared by agd.cc and fista.cc.
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

#include "learners/batch/examples.h"
#include "learners/batch/solver.h"
#include "learners/options.h"

namespace thresher::learners::batch {

// The momentum after step t = 1, 2, … with curvature L.
using Momentum = std::function<double(double step, double curvature)>;

// `complete` has loss, gamma, l1 and l2.
std::unique_ptr<Solver> MakeAcceleratedGradient(const Examples& examples, const OptionValues& complete,
                                                Momentum momentum);

}  // namespace thresher::learners::batch

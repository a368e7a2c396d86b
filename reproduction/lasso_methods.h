// The Lasso, min (1/2n) Σ (y_i − ⟨β, x_i⟩)² + (λ/n)‖β‖₁: its exact solution, and the five online methods that
// Carbonetto, Schmidt & de Freitas (2008), Sec. 5.1, compare. Simple, dense implementations.
//
// Used by the interior-point experiments. Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "learners/rule/schedule.h"
#include "reproduction/simulated_regression.h"

namespace thresher::reproduction {

struct OnlineOptions {
  double penalty = 1.25;  // λ/n
  double first = 50;      // k0 of the step sizes a_k = 1/(k0 + k), k = 1, 2, …
  int passes = 1;
  // How σ_k of the interior-point method falls: σ, σ/(1 + k/k0) or σ/√(1 + k/k0).
  learners::Schedule::Kind centering = learners::Schedule::Kind::kConstant;
};

struct LassoMethod {
  const char* name;
  // β after the last example; not finite if the method diverged.
  std::vector<double> (*run)(const Regression&, const OnlineOptions&);
};

// The interior-point method first, then the methods that it is compared with.
std::span<const LassoMethod> OnlineLassoMethods();

// By coordinate descent, until no coordinate moves by 1e-10.
std::vector<double> ExactLasso(const Regression& data, double penalty);

}  // namespace thresher::reproduction

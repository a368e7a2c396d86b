// Interior-point stochastic gradient for any convex constraints: Carbonetto, Schmidt & de Freitas, "An
// interior-point stochastic approximation method and an L1-regularized delta rule" (2008), Fig. 1.
//
// Minimises f(x) subject to c(x) ≤ 0. c and its derivatives are known; of f, only noisy gradients y are. With
// a multiplier z_i > 0 for each of the m constraints, μ = −σ ⟨z, c(x)⟩/m, J the Jacobian of c, and the
// identity in place of the Hessian of f:
//   (I + Σ z_i ∇²c_i − JᵀΣJ) Δx = −y + μ Σ ∇c_i/c_i          Σ = diag(z_i/c_i)                   (6)
//   Δz = −(z + μ/c + ΣJΔx)                                                                      (7)
// A step goes at most â far, at most .995 of the way to any z = 0, and is halved until every c_i < 0.
//
// A step takes O(d³ + m d²) for d variables. For bounds alone, dense_state.h has the same in O(d).
//
// Used by the experiments of reproduction/. Thread-safety: a plain value; the constraints are not owned.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace thresher::learners {

// c_1 … c_m, convex, twice differentiable.
class Constraints {
 public:
  Constraints() = default;
  virtual ~Constraints() = default;
  Constraints(const Constraints&) = delete;
  Constraints& operator=(const Constraints&) = delete;

  virtual size_t count() const = 0;
  virtual double Value(size_t i, std::span<const double> x) const = 0;
  virtual void Gradient(size_t i, std::span<const double> x, std::span<double> gradient) const = 0;
  // Adds factor·∇²c_i(x) to the matrix, row by row. Of a linear constraint, nothing.
  virtual void AddCurvature(size_t i, std::span<const double> x, double factor,
                            std::span<double> matrix) const = 0;
};

class ConstrainedDescent {
 public:
  // REQUIRES: c(x) < 0, z > 0.
  ConstrainedDescent(const Constraints& constraints, std::vector<double> x, double z);

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& z() const { return z_; }

  // Takes a step and returns its length a; 0, and no step, if x is so near a bound that rounding leaves none.
  double Step(std::span<const double> gradient, double longest, double centering);

 private:
  void FindDirection(std::span<const double> gradient, double centering);
  double LongestInside(double length) const;
  bool IsInside(std::span<const double> x) const;

  const Constraints& constraints_;
  std::vector<double> x_;
  std::vector<double> z_;
  std::vector<double> along_x_;  // Δx
  std::vector<double> along_z_;  // Δz
};

}  // namespace thresher::learners

// The two regularisers g of Prox-SDCA and what the dual needs of them: w = ∇g*(v), and a curvature bound of
// g*.
//
// Elastic net (Shalev-Shwartz & Zhang 2012, "Proximal Stochastic Dual Coordinate Ascent", Section 6.3):
//   g = ½‖w‖² + (σ/λ)‖w‖₁            w = soft(v, σ/λ)                 g*(v) = ½‖u‖²,  u = soft(v, σ/λ)
// Low ℓ∞ (their Section 6.4), for rows with many features of small values:
//   g = (3L/2)‖w‖_q² + (σ/λ)‖w‖₁     w_j = sgn(u_j)|u_j|^(p−1)/(3L ‖u‖_p^(p−2))      g* = ‖u‖_p²/(6L)
// with L = log d, p = L, q = L/(L − 1), d ≥ 8.
//
// g*(v + δ) ≤ g*(v) + ⟨w,δ⟩ + ½ Size(δ), with Size = ‖δ‖² for the first. For the second, ½‖·‖_p² is
// (p − 1)-smooth in ‖·‖_p, and ‖δ‖_p ≤ e‖δ‖∞: Size = e²(L − 1)/(3L)·‖δ‖∞². The paper has 1 in place of the
// factor before ‖δ‖∞²; with that the dual may fall.
//
// Used by dual_ascent.h and by sdca in several processes (distributed/). Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "learners/batch/examples.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::batch {

struct ElasticNetRegulariser {
  ElasticNetRegulariser(double l1_over_l2, uint32_t /*features*/) : threshold(l1_over_l2) {}

  void Refresh(std::span<const double> /*v*/) {}
  double Weight(double v) const { return SoftThreshold(v, threshold); }
  void Moved(double /*from*/, double /*to*/) {}
  static double Size(const SparseLines::Line& x) { return SquaredNorm(x); }

  double Conjugate(std::span<const double> v) const {
    double squares = 0;
    for (const double each : v) squares += Weight(each) * Weight(each);
    return squares / 2;
  }
  double Value(std::span<const double> w) const {
    double sum = 0;
    for (const double each : w) sum += each * each / 2 + threshold * std::abs(each);
    return sum;
  }

  double threshold;
};

struct LowInfinityRegulariser {
  LowInfinityRegulariser(double l1_over_l2, uint32_t features)
      : threshold(l1_over_l2), power(std::log(std::max(features, 8U))), scale(3 * power) {}

  double Power(double v) const { return std::pow(std::abs(SoftThreshold(v, threshold)), power); }
  // The factor that all weights share is a function of the sum ‖u‖_p^p. Moved updates the sum; Refresh
  // recomputes it.
  void SetSum(double to) {
    sum = std::max(to, 0.0);
    shared = sum > 0 ? std::pow(sum, -(power - 2) / power) / scale : 0;
  }
  void Refresh(std::span<const double> v) {
    double powers = 0;
    for (const double each : v) powers += Power(each);
    SetSum(powers);
  }
  double Weight(double v) const {
    const double u = SoftThreshold(v, threshold);
    return u == 0 ? 0 : std::copysign(std::pow(std::abs(u), power - 1) * shared, u);
  }
  void Moved(double from, double to) { sum += Power(to) - Power(from); }
  double Size(const SparseLines::Line& x) const {
    const double largest = LargestMagnitude(x);
    return std::numbers::e * std::numbers::e * (power - 1) / scale * largest * largest;
  }

  double Conjugate(std::span<const double> v) const {
    double powers = 0;
    for (const double each : v) powers += Power(each);
    return std::pow(powers, 2 / power) / (2 * scale);
  }
  double Value(std::span<const double> w) const {
    const double q = power / (power - 1);
    double powers = 0;
    double magnitudes = 0;
    for (const double each : w) {
      powers += std::pow(std::abs(each), q);
      magnitudes += std::abs(each);
    }
    return scale / 2 * std::pow(powers, 2 / q) + threshold * magnitudes;
  }

  double threshold;
  double power;  // p
  double scale;  // 3L
  double sum = 0;
  double shared = 0;
};

}  // namespace thresher::learners::batch

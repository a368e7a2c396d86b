// The objective of most solvers here,
//   P(w) = (1/n) Σ φ_i(⟨w,x_i⟩) + (λ2/2)‖w‖² + λ1‖w‖₁,     l ≤ w_j ≤ u
// and a lower bound of its minimum. Most solvers have no bounds l ≤ 0 and u ≥ 0.
//
// The bound: α_i = −φ_i'(a_i) and c = (1/n) Σ α_i x_i make
//   D(α) = (1/n) Σ −φ_i*(−α_i) − ‖soft(c, λ1)‖²/(2λ2)
// where λ2 > 0. Where λ2 = 0, the dual requires ‖c‖∞ ≤ λ1; α is scaled by min(1, λ1/‖c‖∞), and the last term
// is 0. With bounds the last term is Σ_j max { c_j w − λ1|w| − λ2 w²/2 : l ≤ w ≤ u }, and where λ2 = 0 only
// the c_j that have no bound on their side must not exceed λ1. margin_loss.h has the sign conventions.
//
// Used by the primal solvers. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "learners/batch/examples.h"
#include "learners/batch/margin_loss.h"

namespace thresher::learners::batch {

struct ElasticNetObjective {
  // The allowed weight that is nearest to `weight`.
  double Within(double weight) const { return std::clamp(weight, lower, upper); }
  bool HasBounds() const { return std::isfinite(lower) || std::isfinite(upper); }

  double Penalty(std::span<const double> weights) const;

  // P, given the weights and their margins.
  double Primal(const Examples& examples, std::span<const double> weights,
                std::span<const double> margins) const;
  // α_i = −φ_i'(a_i), the dual variables of these margins.
  std::vector<double> DualVariables(const Examples& examples, std::span<const double> margins) const;
  // D at the dual variables of these margins; a pass over the rows.
  double Dual(const Examples& examples, std::span<const double> margins) const;

  MarginLoss loss;
  double l1 = 0;
  double l2 = 0;
  double lower = -MarginLoss::kInfinity;
  double upper = MarginLoss::kInfinity;

 private:
  double Conjugate(double correlation) const;
};

inline constexpr double kLargestPenalty = 1e6;

constexpr OptionSpec BatchPenaltyOption(std::string_view name, std::string_view default_value,
                                        std::string_view help, bool may_be_zero = true) {
  return {.name = name,
          .default_value = default_value,
          .min = 0,
          .max = kLargestPenalty,
          .min_excluded = !may_be_zero,
          .help = help};
}
inline constexpr std::string_view kL1Help = "penalty on ‖w‖₁; larger values give sparser models";
inline constexpr std::string_view kL2Help = "penalty on ‖w‖²/2; larger values give smaller weights";

// Of coordinate descent. Both allow 0, where every solver starts.
inline constexpr OptionSpec kLowerOption = {
    .name = "lower",
    .default_value = "-inf",
    .min = -MarginLoss::kInfinity,
    .max = 0,
    .help = "least value of a weight; 0 for weights that are not negative"};
inline constexpr OptionSpec kUpperOption = {.name = "upper",
                                            .default_value = "inf",
                                            .min = 0,
                                            .max = MarginLoss::kInfinity,
                                            .help = "largest value of a weight"};

// With bounds if the solver has these options.
ElasticNetObjective ReadElasticNetObjective(const OptionValues& complete);

// A `check` of specs: without any penalty or bounds there may be no minimum, and no bound of the gap.
OptionFault NeedsAPenalty(const OptionValues& complete);

// Sets margins[i] = ⟨weights, x_i⟩.
void ComputeMargins(const SparseLines& rows, std::span<const double> weights, std::span<double> margins);

}  // namespace thresher::learners::batch

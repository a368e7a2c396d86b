// A lower bound of the minimum of the elastic net's objective, and the coordinates that are 0 at every
// minimum: Ndiaye, Fercoq, Gramfort & Salmon, "Gap Safe Screening Rules for Sparsity Enforcing Penalties"
// (2017).
//
// For dual variables α and c = (1/n) Σ α_i x_i let s = 1 if λ2 > 0, else min(1, λ1/‖c‖∞). Then sα is feasible
// and its dual value D is a bound (elastic_net_objective.h). D is 1/(nβ)-strongly concave, β the loss's
// smoothness, so the optimal α* is near it: ‖α* − sα‖ ≤ √(2nβ(P − D)) for the objective P of any weights.
// At a minimum w_j is not 0 only if |c_j(α*)| ≥ λ1. So coordinate j is left out where
//   |s c_j| + ‖x_j‖/n · √(2nβ(P − D)) < λ1
// A problem without such coordinates has the same minimum. Later bounds need the others only.
//
// Used by scd.cc and prox_newton.cc. Thread-safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/examples.h"

namespace thresher::learners::batch {

inline constexpr std::array<std::string_view, 2> kScreeningNames = {"off", "on"};
inline constexpr OptionSpec kScreeningOption = {
    .name = "screening",
    .default_value = "on",
    .choices = kScreeningNames,
    .help = "leave out coordinates that are 0 at the minimum, and look for a high bound of it"};

class GapSafe {
 public:
  // `examples` must outlive this.
  GapSafe(const Examples& examples, const ElasticNetObjective& objective);

  // The bound of α, for which α_i is −φ'(a_i) for any margins a; reads the columns that are left.
  double BoundOf(std::span<const double> alpha) const;
  // Keeps α's bound and correlations if the bound is the highest so far. Returns the entries read.
  uint64_t Offer(std::span<const double> alpha);
  // The highest bound offered; −∞ at first.
  double bound() const { return bound_; }

  // The coordinates that descent should visit next: those with weights that are not 0, and those left whose
  // |c_j| of the latest offer is nearly λ1 or above.
  std::vector<uint32_t> Working(std::span<const double> weights) const;

  // Leaves out coordinates, given the objective `primal` of some weights. Not those whose weight is not 0:
  // they may leave later, when descent has set them to 0, so that the objective does not rise.
  void LeaveOut(double primal, std::span<const double> weights);
  bool IsLeft(size_t j) const { return is_left_[j] != 0; }
  // The coordinates left, in ascending order.
  std::vector<uint32_t> Left() const;
  // The entries of their columns.
  uint64_t LeftEntries() const;

  std::vector<std::span<double>> Memory() { return {is_left_, best_, latest_, {&bound_, 1}}; }

 private:
  // A bound, and the factor s that makes α feasible.
  struct Feasible {
    double bound = 0;
    double scale = 1;
  };
  Feasible Correlate(std::span<const double> alpha, std::span<double> correlations) const;

  const Examples examples_;
  const ElasticNetObjective objective_;
  std::vector<double> lengths_;  // ‖x_j‖/n
  std::vector<double> is_left_;  // 1 or 0
  std::vector<double> best_;     // s c_j of the highest bound
  std::vector<double> latest_;   // c_j of the latest offer
  double bound_;
};

}  // namespace thresher::learners::batch

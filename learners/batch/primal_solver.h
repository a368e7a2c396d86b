// Base of solvers that minimise
//   P(w) = (1/n) Σ φ_i(⟨w,x_i⟩) + (λ2/2)‖w‖² + λ1‖w‖₁,     l ≤ w_j ≤ u
// and store the weights and the margins ⟨w,x_i⟩. It implements Report, Memory and WarmStart. A solver with
// more state overrides Memory and WarmStart. Used by the solvers of this folder that are primal, as agd.cc
// and prox_newton.cc. Thread-safety: as Solver.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/examples.h"
#include "learners/batch/solver.h"

namespace thresher::learners::batch {

class PrimalSolver : public Solver {
 public:
  Progress Report() override {
    Progress progress = tally_.Begun(examples_.rows.entries());
    progress.primal = objective_.Primal(examples_, weights_, margins_);
    progress.gap = bound_.GapOf(progress.primal, LowerBound());
    progress.nonzeros = CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override { return weights_; }
  std::vector<std::span<double>> Memory() override {
    return {weights_, margins_, bound_.AsMemory(), tally_.AsMemory()};
  }

  bool WarmStart(std::span<const double> weights) override {
    std::ranges::transform(weights, weights_.begin(), [this](double w) { return objective_.Within(w); });
    ComputeMargins(examples_.rows, weights_, margins_);
    return true;
  }

 protected:
  PrimalSolver(const Examples& examples, const ElasticNetObjective& objective)
      : examples_(examples),
        objective_(objective),
        weights_(examples.rows.width),
        margins_(examples.rows.size()) {}

  // A lower bound of the minimum.
  virtual double LowerBound() { return objective_.Dual(examples_, margins_); }

  // The memory of this class, then `more`.
  std::vector<std::span<double>> MemoryWith(const std::vector<std::span<double>>& more) {
    std::vector<std::span<double>> all = PrimalSolver::Memory();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Examples examples_;
  ElasticNetObjective objective_;
  std::vector<double> weights_;  // w
  std::vector<double> margins_;  // ⟨w,x_i⟩
  BestBound bound_;
  Tally tally_;
};

}  // namespace thresher::learners::batch

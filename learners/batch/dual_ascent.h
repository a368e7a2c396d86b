// The step of dual coordinate ascent on one example, and the state that it changes: the formulas are at the
// top of sdca.cc.
//
// Used by sdca.cc and accelerated_sdca.cc. Thread-safety: one thread.
#pragma once

#include <vector>

#include "learners/batch/dual_regulariser.h"
#include "learners/batch/examples.h"
#include "learners/batch/margin_loss.h"
#include "learners/batch/solver.h"

namespace thresher::learners::batch {

template <class Regulariser>
struct DualAscent {
  // For the penalty l2·g with the l1 of `regulariser` in it.
  DualAscent(const Examples& of, MarginLoss with, double l2, Regulariser g)
      : examples(of),
        loss(with),
        per_unit(1 / (l2 * static_cast<double>(of.rows.size()))),
        regulariser(g),
        alpha(of.rows.size()),
        v(of.rows.width) {
    curvatures.reserve(alpha.size());
    for (size_t i = 0; i < alpha.size(); ++i) {
      curvatures.push_back(regulariser.Size(examples.rows[i]) * per_unit);
    }
  }

  // ⟨w,x_i⟩, counted as read.
  double ReadMargin(uint32_t i) {
    const SparseLines::Line x = examples.rows[i];
    double a = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      a += regulariser.Weight(v[x.indices[k]]) * static_cast<double>(x.values[k]);
    }
    tally.Count(x.size());
    return a;
  }

  // The α_i that maximises the dual, given the margin.
  double Best(uint32_t i, double a) const {
    return loss.DualStep(alpha[i], a, examples.Target(i), curvatures[i]);
  }

  void Set(uint32_t i, double next) {
    const double step = (next - alpha[i]) * per_unit;
    alpha[i] = next;
    if (step != 0) Move(examples.rows[i], step);
  }

  // In random order the hardware does not predict the next row. order[k] is visited now.
  void Prefetch(const std::vector<uint32_t>& order, size_t k) const {
    if (k + kAhead >= order.size()) return;
    const uint32_t i = order[k + kAhead];
    const SparseLines::Line x = examples.rows[i];
    __builtin_prefetch(x.indices.data());
    __builtin_prefetch(x.values.data());
    __builtin_prefetch(&alpha[i]);
  }

  static constexpr size_t kAhead = 8;

  Examples examples;
  MarginLoss loss;
  double per_unit;  // 1/(l2·n)
  Regulariser regulariser;
  std::vector<double> alpha;
  std::vector<double> v;
  std::vector<double> curvatures;  // q of each example
  Tally tally;

 private:
  void Move(const SparseLines::Line& x, double step) {
    for (size_t k = 0; k < x.size(); ++k) {
      double& each = v[x.indices[k]];
      const double from = each;
      each += step * static_cast<double>(x.values[k]);
      regulariser.Moved(from, each);
    }
    if constexpr (requires { regulariser.SetSum(0.0); }) regulariser.SetSum(regulariser.sum);
    tally.Count(x.size());
  }
};

}  // namespace thresher::learners::batch

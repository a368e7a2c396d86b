// The dense form of interior-point: each step updates the row of every feature.
//
// A step passes twice over the rows, as a rebase does: the first pass finds how long the step may be, the
// second applies it. Sums over rows are exact (fixed_sum.h) and so do not depend on the order of the rows.
// All never-seen coordinates are equal; one in the globals stands for them.
//
// Used by interior_point.cc. Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "learners/interior/delta_rule.h"
#include "learners/sums/fixed_sum.h"

namespace thresher::learners {

struct DenseRule : DeltaRule {
  enum class Pass : uint64_t { kNone, kFindLength, kApply };
  struct Row {
    Counts counts;
    double descent = 0;  // r·x of the example, until the step is applied
    Coordinate coordinate;
  };
  struct Globals {
    Coordinate unseen;
    double mean = 0;  // of z b
    uint64_t seen = 0;
    uint64_t steps = 0;
    double bias = 0;
    Pass pass = Pass::kNone;
    DeltaStep step = {};
    double largest = 0;  // an upper bound of any product after the step: the unit of the sum
    FixedSum products = {};
  };

  using Step = DeltaStep;
  using DeltaRule::DeltaRule;

  Globals InitialGlobals() const { return {.unseen = InitialCoordinate(), .mean = initial_b * initial_z}; }
  // `step` is not checked: BeginStep overwrites it.
  bool AreSound(const Globals& globals) const {
    return globals.unseen.IsInRange() && std::isfinite(globals.mean) && std::isfinite(globals.bias) &&
           globals.pass == Pass::kNone && std::isfinite(globals.largest);
  }
  bool IsSound(const Row& row, const Globals& /*globals*/) const { return row.coordinate.IsSound(); }
  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& /*globals*/) const { return row.coordinate.Weight(); }
  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.coordinate.IsSeen(); }

  DeltaStep BeginStep(const Globals& globals, double derivative) const {
    return StartStep(globals.unseen, globals.mean, globals.steps, derivative);
  }

  void UpdateRow(Row& row, double x, const DeltaStep& step, Globals& globals) const {
    if (!IsLive(row, globals)) {
      if (step.residual * x == 0) return;
      row.coordinate = step.unseen;
      ++globals.seen;
    }
    row.descent = step.residual * x;
  }

  bool EndStep(Globals& globals, const DeltaStep& step) const {
    globals.step = step;
    globals.largest = 0;
    globals.pass = Pass::kFindLength;
    return true;
  }

  void Rebase(Row& row, Globals& globals) const {
    if (globals.pass == Pass::kNone || !IsLive(row, globals)) return;
    const CoordinateStep step(row.coordinate, row.descent, globals.step);
    if (globals.pass == Pass::kFindLength) {
      step.AddTo(globals.step.limit, row.coordinate);
      globals.largest = std::max(globals.largest, step.LargestProduct(row.coordinate, globals.step.barrier));
    } else {
      row.coordinate = step.Applied(row.coordinate, globals.step.length);
      row.descent = 0;
      globals.products.Add(std::min(row.coordinate.Product() / globals.largest, 1.0));
    }
  }

  bool FinishRebase(Globals& globals) const {
    const double features = FeatureCount(globals.seen);
    if (globals.pass == Pass::kFindLength) {
      globals.step.length = globals.step.limit.Longest();
      globals.products = {};
      globals.pass = Pass::kApply;
      return true;
    }
    if (globals.pass == Pass::kApply) {
      const CoordinateStep step(globals.unseen, 0, globals.step);
      globals.unseen = step.Applied(globals.unseen, globals.step.length);
      const double unseen = (features - static_cast<double>(globals.seen)) * globals.unseen.Product();
      globals.mean = (globals.products.Value() * globals.largest + unseen) / (2 * features);
      if (has_bias) globals.bias += globals.step.length * globals.step.residual;
      ++globals.steps;
      globals.pass = Pass::kNone;
    }
    return false;
  }
};

}  // namespace thresher::learners

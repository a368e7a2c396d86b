// interior-point's dense form: each step moves the row of every feature.
//
// A step is taken in two passes over the rows, as if each were a rebase: the first finds how long it may be,
// the second takes it. Sums over rows are exact (fixed_sum.h), whatever their order. Coordinates that were
// never seen are all the same, and only one of them is moved.
//
// Used by interior_point.cc. Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "learners/delta_rule.h"
#include "learners/fixed_sum.h"

namespace thresher::learners {

struct DenseRule : DeltaRule {
  enum class Pass : uint64_t { kNone, kLook, kGo };
  struct Row {
    Counts counts;
    double pull = 0;  // of the example, until the step is taken
    Coordinate coordinate;
  };
  struct Globals {
    Coordinate never;
    double mean = 0;  // of z b
    uint64_t seen = 0;
    uint64_t steps = 0;
    double bias = 0;
    Pass pass = Pass::kNone;
    DeltaStep step = {};
    double largest = 0;  // product there may be after the step, the sum's unit
    FixedSum products = {};
  };

  using Step = DeltaStep;
  using DeltaRule::DeltaRule;

  Globals NewGlobals() const { return {.never = First(), .mean = first_b * first_z}; }
  // A step is not looked at: the next one begins it anew.
  bool AreSound(const Globals& globals) const {
    return globals.never.IsSound() && std::isfinite(globals.mean) && std::isfinite(globals.bias) &&
           globals.pass == Pass::kNone && std::isfinite(globals.largest);
  }
  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& /*globals*/) const { return row.coordinate.Weight(); }
  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.coordinate.IsSeen(); }

  DeltaStep BeginStep(const Globals& globals, double derivative) const {
    return Begin(globals.never, globals.mean, globals.steps, derivative);
  }

  void Touch(Row& row, double x, const DeltaStep& step, Globals& globals) const {
    if (!IsLive(row, globals)) {
      if (step.pull * x == 0) return;
      row.coordinate = step.never;
      ++globals.seen;
    }
    row.pull = step.pull * x;
  }

  bool EndStep(Globals& globals, const DeltaStep& step) const {
    globals.step = step;
    globals.largest = 0;
    globals.pass = Pass::kLook;
    return true;
  }

  void Rebase(Row& row, Globals& globals) const {
    if (globals.pass == Pass::kNone || !IsLive(row, globals)) return;
    const Way way(row.coordinate, row.pull, globals.step);
    if (globals.pass == Pass::kLook) {
      way.Limit(row.coordinate, globals.step.limit);
      globals.largest = std::max(globals.largest, way.LargestProduct(row.coordinate, globals.step.barrier));
    } else {
      row.coordinate = way.Gone(row.coordinate, globals.step.step);
      row.pull = 0;
      globals.products.Add(std::min(row.coordinate.Product() / globals.largest, 1.0));
    }
  }

  bool FinishRebase(Globals& globals) const {
    const double features = Features(globals.seen);
    if (globals.pass == Pass::kLook) {
      globals.step.step = globals.step.limit.Step();
      globals.products = {};
      globals.pass = Pass::kGo;
      return true;
    }
    if (globals.pass == Pass::kGo) {
      globals.never = Way(globals.never, 0, globals.step).Gone(globals.never, globals.step.step);
      const double unseen = (features - static_cast<double>(globals.seen)) * globals.never.Product();
      globals.mean = (globals.products.Value() * globals.largest + unseen) / (2 * features);
      if (has_bias) globals.bias += globals.step.step * globals.step.pull;
      ++globals.steps;
      globals.pass = Pass::kNone;
    }
    return false;
  }
};

}  // namespace thresher::learners

// What both forms of interior-point share: its hyper-parameters, and one step as far as it is the same for
// all coordinates.
//
// Used by interior_point.cc, whose head has the formulas, and dense_delta_rule.h. Thread-safety: plain
// values.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "learners/gradient_options.h"
#include "learners/interior.h"

namespace thresher::learners {

// One step, as far as it is the same for all coordinates.
struct DeltaStep {
  double pull = 0;  // r
  double barrier = 0;
  double penalty = 0;
  StepLimit limit = {};
  double step = 0;
  Coordinate never = {};  // before the step
};

// Both signs of a coordinate on their way; `pull` is the example's.
struct Way {
  Way(const Coordinate& from, double pull, const DeltaStep& step)
      : directions{from.sides[0].Towards(pull - step.penalty, step.barrier),
                   from.sides[1].Towards(-pull - step.penalty, step.barrier)} {}

  void Limit(const Coordinate& from, StepLimit& limit) const {
    limit.Heed(from.sides[0], directions[0]);
    limit.Heed(from.sides[1], directions[1]);
  }
  // Σ z b after a step of any length ≤ 1 is not above this: b z + a(μ − b z) + a² Δb Δz on either side.
  double LargestProduct(const Coordinate& from, double barrier) const {
    double sum = 0;
    for (size_t i = 0; i < directions.size(); ++i) {
      const double curvature = std::max(directions[i].b * directions[i].z, 0.0);
      sum += std::max(from.sides[i].Product(), barrier) + curvature;
    }
    return sum;
  }
  Coordinate Gone(const Coordinate& from, double step) const {
    return {.sides = {from.sides[0].Moved(directions[0], step), from.sides[1].Moved(directions[1], step)}};
  }

  std::array<Direction, 2> directions;
};

// What both forms share.
struct DeltaRule {
  explicit DeltaRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        schedule(ReadSchedule(complete)),
        scale(NumberOption(complete, "loss_scale")),
        l1(NumberOption(complete, "l1")),
        examples(NumberOption(complete, "examples")),
        examples_grow(SwitchOption(complete, "examples_grow")),
        centering(NumberOption(complete, "centering")),
        first_b(NumberOption(complete, "initial_b")),
        first_z(NumberOption(complete, "initial_z")),
        dimension(NumberOption(complete, "dimension")),
        has_bias(SwitchOption(complete, "bias")) {}

  Coordinate First() const {
    const Bounded side = {.b = first_b, .z = first_z};
    return {.sides = {side, side}};
  }

  // How many there are, seen or not.
  double Features(uint64_t seen) const { return std::max(dimension, static_cast<double>(seen)); }

  DeltaStep Begin(const Coordinate& never, double mean_product, uint64_t steps, double derivative) const {
    DeltaStep step = {.pull = -scale * derivative,
                      .barrier = Barrier(mean_product),
                      .penalty = Penalty(steps),
                      .limit = {.step = schedule.Rate(steps)},
                      .never = never};
    Way(never, 0, step).Limit(never, step.limit);
    return step;
  }

  double Penalty(uint64_t steps) const {
    return l1 / (examples + (examples_grow ? static_cast<double>(steps) : 0));
  }
  double Barrier(double mean_product) const {
    return std::max(centering * mean_product, Bounded::kSmallest * Bounded::kSmallest);
  }

  Objective objective;
  Schedule schedule;
  double scale;
  double l1;
  double examples;
  bool examples_grow;
  double centering;
  double first_b;
  double first_z;
  double dimension;
  bool has_bias;
};

}  // namespace thresher::learners

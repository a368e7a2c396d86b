// What both forms of interior-point share: the hyper-parameters, and the part of a step that is the same for
// all coordinates.
//
// Used by interior_point.cc, whose head has the formulas, dense_delta_rule.h, and by the batch solver of the
// same name for the options. Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "learners/interior/coordinate.h"
#include "learners/rule/gradient_options.h"

namespace thresher::learners {

// The part of a step that is the same for all coordinates.
struct DeltaStep {
  double residual = 0;  // r
  double barrier = 0;   // μ
  double penalty = 0;   // λ/n
  StepLimit limit = {};
  double length = 0;       // a
  Coordinate unseen = {};  // every never-seen coordinate, before the step
};

// The Newton steps of both sides of a coordinate. `descent` is minus the gradient of the example's loss.
struct CoordinateStep {
  CoordinateStep(const Coordinate& from, double descent, const DeltaStep& step)
      : sides{from.sides[0].StepFor(descent - step.penalty, step.barrier),
              from.sides[1].StepFor(-descent - step.penalty, step.barrier)} {}

  void AddTo(StepLimit& limit, const Coordinate& from) const {
    limit.Include(from.sides[0], sides[0]);
    limit.Include(from.sides[1], sides[1]);
  }
  // An upper bound of Σ z b after a step of any length a ≤ 1: it is b z + a(μ − b z) + a² Δb Δz on either
  // side.
  double LargestProduct(const Coordinate& from, double barrier) const {
    double sum = 0;
    for (size_t i = 0; i < sides.size(); ++i) {
      const double curvature = std::max(sides[i].b * sides[i].z, 0.0);
      sum += std::max(from.sides[i].Product(), barrier) + curvature;
    }
    return sum;
  }
  Coordinate Applied(const Coordinate& from, double length) const {
    return {.sides = {from.sides[0].Moved(sides[0], length), from.sides[1].Moved(sides[1], length)}};
  }

  std::array<NewtonStep, 2> sides;
};

inline constexpr OptionSpec kCenteringScheduleOption = {
    .name = "centering_schedule",
    .default_value = "constant",
    .choices = kScheduleNames,
    .help = "how σ falls with the number of steps; the paper's theorem asks that it goes to 0"};

inline constexpr OptionSpec kCenteringHorizonOption = {
    .name = "centering_horizon",
    .default_value = "10000",
    .min = 1,
    .max = 1e15,
    .help = "steps after which σ is 1/2 (inverse) or 1/√2 (inverse-sqrt) of the first"};

inline Schedule ReadCentering(const OptionValues& complete) {
  return ReadSchedule(complete, "centering", kCenteringScheduleOption.name, kCenteringHorizonOption.name);
}

struct DeltaRule {
  explicit DeltaRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        schedule(ReadSchedule(complete)),
        scale(NumberOption(complete, "loss_scale")),
        l1(NumberOption(complete, "l1")),
        examples(NumberOption(complete, "examples")),
        examples_grow(SwitchOption(complete, "examples_grow")),
        centering(ReadCentering(complete)),
        initial_b(NumberOption(complete, "initial_b")),
        initial_z(NumberOption(complete, "initial_z")),
        dimension(NumberOption(complete, "dimension")),
        has_bias(SwitchOption(complete, "bias")) {}

  Coordinate InitialCoordinate() const {
    const BoundedVariable side = {.b = initial_b, .z = initial_z};
    return {.sides = {side, side}};
  }

  // How many features there are, seen or not.
  double FeatureCount(uint64_t seen) const { return std::max(dimension, static_cast<double>(seen)); }

  DeltaStep StartStep(const Coordinate& unseen, double mean_product, uint64_t steps,
                      double derivative) const {
    DeltaStep step = {.residual = -scale * derivative,
                      .barrier = Barrier(mean_product, steps),
                      .penalty = Penalty(steps),
                      .limit = {.length = schedule.Rate(steps)},
                      .unseen = unseen};
    CoordinateStep(unseen, 0, step).AddTo(step.limit, unseen);
    return step;
  }

  double Penalty(uint64_t steps) const {
    return l1 / (examples + (examples_grow ? static_cast<double>(steps) : 0));
  }
  double Barrier(double mean_product, uint64_t steps) const {
    return std::max(centering.Rate(steps) * mean_product,
                    BoundedVariable::kSmallest * BoundedVariable::kSmallest);
  }

  Objective objective;
  Schedule schedule;
  double scale;
  double l1;
  double examples;
  bool examples_grow;
  Schedule centering;  // σ
  double initial_b;
  double initial_z;
  double dimension;
  bool has_bias;
};

}  // namespace thresher::learners

// The elastic-net family of update rules: a gradient step on the touched coordinates, then a shrinkage of all
// of them, done lazily (shrinkage.h). Its members differ in that shrinkage alone:
//   struct Shrink { static void Apply(Shrinkage&, double rate_l1, double rate_l2); }   ηλ1, ηλ2
//
// Used by lazy_sgd.cc and lazy_fobos.cc. Thread-safety: a plain value.
#pragma once

#include <array>

#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/shrinkage/shrinkage.h"

namespace thresher::learners {

template <class Shrink>
struct ElasticNet {
  struct Row {
    Counts counts;
    double u = 0;  // the weight, as Shrinkage stores it
  };
  struct Globals {
    Shrinkage shrinkage;
    double bias = 0;
  };
  struct Step {
    double rate = 0;             // η
    double bias_gradient = 0;    // L', or 0 without a bias
    double scaled_gradient = 0;  // η·L'/s
  };

  explicit ElasticNet(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        schedule(ReadSchedule(complete)),
        l1(NumberOption(complete, "l1")),
        l2(NumberOption(complete, "l2")),
        has_bias(SwitchOption(complete, "bias")) {}

  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& globals) const { return globals.shrinkage.Weight(row.u); }
  bool IsLive(const Row& row, const Globals& globals) const { return globals.shrinkage.IsLive(row.u); }

  Step BeginStep(const Globals& globals, double derivative) const {
    const double rate = schedule.Rate(globals.shrinkage.steps);
    return {.rate = rate,
            .bias_gradient = has_bias ? derivative : 0,
            .scaled_gradient = rate * derivative / globals.shrinkage.scale};
  }

  void UpdateRow(Row& row, double x, const Step& step, Globals& globals) const {
    row.u = globals.shrinkage.Moved(row.u, -step.scaled_gradient * x);
    globals.shrinkage.Include(row.u);
  }

  bool EndStep(Globals& globals, const Step& step) const {
    globals.bias -= step.rate * step.bias_gradient;
    Shrink::Apply(globals.shrinkage, step.rate * l1, step.rate * l2);
    globals.shrinkage.RescaleIfAllZero(step.rate * l1);
    ++globals.shrinkage.steps;
    return globals.shrinkage.RebaseDue();
  }

  void AdvanceClock(uint64_t steps, Globals& globals) const {
    globals.shrinkage.steps = globals.shrinkage.rebased_at = steps;
  }
  void WarmStartRow(const FittedWeight& fitted, Row& row, Globals& globals) const {
    row.u = globals.shrinkage.Moved(0, fitted.weight / globals.shrinkage.scale);
    globals.shrinkage.Include(row.u);
  }

  void Rebase(Row& row, const Globals& globals) const {
    if (!IsLive(row, globals)) row = Row();
    row.u = globals.shrinkage.Rebased(row.u);
  }
  bool FinishRebase(Globals& globals) const {
    globals.shrinkage.FinishRebase();
    return false;
  }

  Objective objective;
  Schedule schedule;
  double l1;
  double l2;
  bool has_bias;
};

inline constexpr auto kElasticNetOptions = WithObjective(
    std::array{
        LearningRateOption("8"),
        kScheduleOption,
        kScheduleHorizonOption,
        PenaltyOption("l1", "3e-06", "penalty on ‖w‖₁; larger values give sparser models"),
        PenaltyOption("l2", "0", "penalty on ‖w‖²/2; larger values give smaller weights"),
        kBiasOption,
    },
    "0.02");

}  // namespace thresher::learners

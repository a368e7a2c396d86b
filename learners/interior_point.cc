// Interior-point stochastic gradient, the L1-regularised delta rule: Carbonetto, Schmidt & de Freitas, "An
// interior-point stochastic approximation method and an L1-regularized delta rule" (2008), Fig. 1 and Eq. 13.
//
// β = b⁺ − b⁻ with b, z > 0. With r = −(loss scale)·L'(a,y), on all d coordinates and both signs:
//   Δb = (±x r − λ/n + μ/b)/(1 + z/b)      b ← b + aΔb
//   Δz = μ/b − z − Δb z/b                  z ← z + aΔz,      μ = σ_k Σ z b / 2d
// The step length a is at most â and at most .995 of the way to any z = 0, and is halved until every b > 0.
//
// There are two forms. Dense applies the step as written: a pass over all rows finds a, another applies the
// step. Streaming touches the features of x only:
//   never seen   all such coordinates are equal: the globals hold one of them
//   seen         between two touches, a coordinate changes by μ, λ/n and a alone. When it is scored or
//                touched, it is brought current from the history of these (barrier_history.h)
//   μ            Σ z b = 2d p + V, with p = z b of a never-seen coordinate and V the excess of the seen ones.
//                A step moves an untouched z b towards μ by the share a of its distance (the term a²Δb Δz is
//                neglected); so V ← (1 − a) V, and a touched coordinate's part of V is replaced
//   a            is limited by the touched coordinates and the never-seen one; an untouched one could limit
//                it only where b + z ≤ a λ/n
//
// paper                            here
// β_pos, z_pos, β_neg, z_neg       Coordinate::sides[0] and [1], b and z
// μ, σ_k                           barrier, centering
// a, â                             length, Schedule::Rate
// m (number of constraints)        2·max(dimension, features seen)
// λ, n                             l1, examples (+ steps so far)
#include <array>
#include <cmath>

#include "learners/interior/barrier_history.h"
#include "learners/interior/delta_rule.h"
#include "learners/interior/dense_delta_rule.h"
#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kInteriorPointName = "interior-point";

struct StreamingRule : DeltaRule {
  struct Row {
    Counts counts;
    double clock = 0;
    Coordinate coordinate;
  };
  struct Globals {
    Coordinate unseen;
    double excess = 0;  // V
    uint64_t seen = 0;
    uint64_t steps = 0;
    double bias = 0;
    BarrierHistory history = {};
  };
  using Step = DeltaStep;
  using DeltaRule::DeltaRule;

  Globals InitialGlobals() const { return {.unseen = InitialCoordinate()}; }
  bool AreSound(const Globals& globals) const {
    return globals.unseen.IsInRange() && std::isfinite(globals.excess) && std::isfinite(globals.bias) &&
           globals.history.IsSound() &&
           globals.history.clock() <= static_cast<double>(globals.steps);  // no step is longer than 1
  }
  bool IsSound(const Row& row, const Globals& globals) const {
    return row.coordinate.IsSound() && row.clock >= 0 && row.clock <= globals.history.clock();
  }
  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& globals) const {
    return IsLive(row, globals) ? globals.history.BringCurrent(row.coordinate, row.clock).Weight() : 0;
  }
  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.coordinate.IsSeen(); }

  DeltaStep BeginStep(const Globals& globals, double derivative) const {
    const double mean = (globals.unseen.Product() + globals.excess / FeatureCount(globals.seen)) / 2;
    return StartStep(globals.unseen, mean, globals.steps, derivative);
  }

  void ReadRow(Row& row, double x, DeltaStep& step, const Globals& globals) const {
    if (IsLive(row, globals)) {
      row.coordinate = globals.history.BringCurrent(row.coordinate, row.clock);
      row.clock = globals.history.clock();
    } else if (step.residual * x == 0) {
      return;
    }
    const Coordinate& from = IsLive(row, globals) ? row.coordinate : step.unseen;
    CoordinateStep(from, step.residual * x, step).AddTo(step.limit, from);
  }

  void FinishReading(const LabelledMargin& /*given*/, DeltaStep& step, Globals& globals) const {
    step.length = step.limit.Longest();
    globals.unseen = CoordinateStep(step.unseen, 0, step).Applied(step.unseen, step.length);
    globals.excess *= 1 - step.length;
    globals.history.Append(step.length, step.barrier, step.penalty);
  }

  void UpdateRow(Row& row, double x, const DeltaStep& step, Globals& globals) const {
    if (!IsLive(row, globals)) {
      if (step.residual * x == 0) return;
      row.coordinate = step.unseen;
      ++globals.seen;
    }
    const double before = row.coordinate.Product() - step.unseen.Product();
    row.coordinate =
        CoordinateStep(row.coordinate, step.residual * x, step).Applied(row.coordinate, step.length);
    row.clock = globals.history.clock();
    globals.excess += row.coordinate.Product() - globals.unseen.Product() - (1 - step.length) * before;
  }

  bool EndStep(Globals& globals, const DeltaStep& step) const {
    if (has_bias) globals.bias += step.length * step.residual;
    ++globals.steps;
    return false;
  }

  // Nothing to do: EndStep never asks for a rebase.
  void Rebase(Row& /*row*/, const Globals& /*globals*/) const {}
  bool FinishRebase(Globals& /*globals*/) const { return false; }
};

constexpr std::array<std::string_view, 2> kFormNames = {"streaming", "dense"};

constexpr std::array<OptionSpec, 15> kInteriorPointOwnOptions = {
    OptionSpec{.name = "form",
               .default_value = "streaming",
               .choices = kFormNames,
               .help = "which features a step updates: those of the example (streaming) or all (dense)"},
    OptionSpec{.name = "learning_rate",
               .default_value = "0.02",
               .min = 1e-9,  // the history sums up squares of steps, and those of far shorter ones are 0
               .max = 1,
               .help = "longest step length, that of the first step; 1 is a full Newton step"},
    kScheduleOption,
    kScheduleHorizonOption,
    OptionSpec{.name = "loss_scale",
               .default_value = "100",
               .min = 0,
               .max = kLargestOption,
               .min_excluded = true,
               .help = "factor of the loss against penalty and barrier"},
    PenaltyOption("l1", "10", "penalty on ‖w‖₁ against the summed loss of all examples"),
    OptionSpec{.name = "examples",
               .default_value = "10000",
               .min = 1,
               .max = 1e15,
               .help = "number of examples that l1 is divided by"},
    OptionSpec{.name = "examples_grow",
               .default_value = "off",
               .choices = kSwitchNames,
               .help = "add the number of steps taken to examples"},
    OptionSpec{
        .name = "centering",
        .default_value = "0.9",
        .min = 0,
        .max = 1,
        .help = "σ: next barrier parameter over the current mean of z·b; 1 keeps it, 0 removes the barrier"},
    kCenteringScheduleOption,
    kCenteringHorizonOption,
    OptionSpec{.name = "initial_b",
               .default_value = "1",
               .min = 1e-9,
               .max = kLargestOption,
               .help = "initial value of both parts of each weight"},
    OptionSpec{.name = "initial_z",
               .default_value = "1",
               .min = 1e-9,
               .max = kLargestOption,
               .help = "initial value of their multipliers"},
    kDimensionOption,
    kBiasOption,
};
constexpr auto kInteriorPointOptions = WithObjective(kInteriorPointOwnOptions, "0.01");

std::unique_ptr<Learner> MakeInteriorPoint(const OptionValues& complete) {
  const bool is_dense = WordOption(complete, "form") == "dense";
  return is_dense ? MakeRowLearner<DenseRule>(kInteriorPointName, kInteriorPointOptions, complete)
                  : MakeRowLearner<StreamingRule>(kInteriorPointName, kInteriorPointOptions, complete);
}

}  // namespace

LearnerSpec InteriorPoint() {
  return {
      .name = kInteriorPointName,
      .summary = "interior-point steps on an L1-regularised loss; both parts of every weight stay above 0",
      .source = "Carbonetto, Schmidt & de Freitas 2008, Eq. 13",
      .cost = "O(nnz(x)), with up to 64 blocks of history per feature; with form=dense O(all features)",
      .options = kInteriorPointOptions,
      .make = MakeInteriorPoint,
      .whole_model = "with form=dense"};
}

}  // namespace thresher::learners

// Interior-point stochastic gradient, the L1-regularised delta rule: Carbonetto, Schmidt & de Freitas, "An
// interior-point stochastic approximation method and an L1-regularized delta rule" (2008), Fig. 1 and Eq. 13.
//
// β = b⁺ − b⁻ with b, z > 0. With r = −(loss scale)·L'(a,y), on all d coordinates and both signs:
//   Δb = (±x r − λ/n + μ/b)/(1 + z/b)      b ← b + aΔb
//   Δz = μ/b − z − Δb z/b                  z ← z + aΔz,      μ = σ Σ z b / 2d
// a being the longest step up to â, and .995 of the way to any z = 0, that leaves every b > 0 (halved until
// it does).
//
// Two forms. Dense takes the step as it stands: a pass over all rows finds a, another takes it. Streaming
// touches the features of x only:
//   never seen   all such coordinates are the same: one of them is among the globals
//   seen         moved, between two touches, by μ, λ/n and a alone: brought current from their history
//                (barrier_history.h) when it is scored or touched
//   μ            Σ z b = 2d p + V, p = z b of a never-seen coordinate and V what seen ones have more. A step
//                brings an untouched z b nearer to μ by the share a of its distance, but for a²Δb Δz, which
//                is left out; so V ← (1 − a) V, and a touched coordinate's part of V is replaced
//   a            heeds the touched coordinates and the never-seen one; an untouched one could bind only where
//                b + z ≤ a λ/n
//
// paper                            here
// β_pos, z_pos, β_neg, z_neg       Coordinate::sides[0] and [1], b and z
// μ, σ                             barrier, centering
// a, â                             step, Schedule::Rate
// m (number of constraints)        2·max(dimension, features seen)
// λ, n                             l1, examples (+ steps so far)
#include <array>
#include <cmath>

#include "learners/barrier_history.h"
#include "learners/delta_rule.h"
#include "learners/dense_delta_rule.h"
#include "learners/gradient_options.h"
#include "learners/row_learner.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kName = "interior-point";

struct StreamingRule : DeltaRule {
  struct Row {
    Counts counts;
    double clock = 0;
    Coordinate coordinate;
  };
  struct Globals {
    Coordinate never;
    double excess = 0;  // V
    uint64_t seen = 0;
    uint64_t steps = 0;
    double bias = 0;
    BarrierHistory history = {};
  };
  using Step = DeltaStep;
  using DeltaRule::DeltaRule;

  Globals NewGlobals() const { return {.never = First()}; }
  bool AreSound(const Globals& globals) const {
    return globals.never.IsSound() && std::isfinite(globals.excess) && std::isfinite(globals.bias) &&
           globals.history.IsSound();
  }
  bool IsSound(const Row& row, const Globals& globals) const {
    return row.clock >= 0 && row.clock <= globals.history.now();
  }
  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& globals) const {
    return IsLive(row, globals) ? globals.history.CaughtUp(row.coordinate, row.clock).Weight() : 0;
  }
  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.coordinate.IsSeen(); }

  DeltaStep BeginStep(const Globals& globals, double derivative) const {
    const double mean = (globals.never.Product() + globals.excess / Features(globals.seen)) / 2;
    return Begin(globals.never, mean, globals.steps, derivative);
  }

  void Look(Row& row, double x, DeltaStep& step, const Globals& globals) const {
    if (IsLive(row, globals)) {
      row.coordinate = globals.history.CaughtUp(row.coordinate, row.clock);
      row.clock = globals.history.now();
    } else if (step.pull * x == 0) {
      return;
    }
    const Coordinate& from = IsLive(row, globals) ? row.coordinate : step.never;
    Way(from, step.pull * x, step).Limit(from, step.limit);
  }

  void SetOut(DeltaStep& step, Globals& globals) const {
    step.step = step.limit.Step();
    globals.never = Way(step.never, 0, step).Gone(step.never, step.step);
    globals.excess *= 1 - step.step;
    globals.history.Append(step.step, step.barrier, step.penalty);
  }

  void Touch(Row& row, double x, const DeltaStep& step, Globals& globals) const {
    if (!IsLive(row, globals)) {
      if (step.pull * x == 0) return;
      row.coordinate = step.never;
      ++globals.seen;
    }
    const double before = row.coordinate.Product() - step.never.Product();
    row.coordinate = Way(row.coordinate, step.pull * x, step).Gone(row.coordinate, step.step);
    row.clock = globals.history.now();
    globals.excess += row.coordinate.Product() - globals.never.Product() - (1 - step.step) * before;
  }

  bool EndStep(Globals& globals, const DeltaStep& step) const {
    if (has_bias) globals.bias += step.step * step.pull;
    ++globals.steps;
    return false;
  }

  void Rebase(Row& /*row*/, const Globals& /*globals*/) const {}
  bool FinishRebase(Globals& /*globals*/) const { return false; }
};

constexpr std::array<std::string_view, 2> kFormNames = {"streaming", "dense"};

constexpr std::array<OptionSpec, 13> kOwnOptions = {
    OptionSpec{.name = "form",
               .default_value = "streaming",
               .choices = kFormNames,
               .help = "how steps are taken: on the features of an example, or on all there are"},
    OptionSpec{.name = "learning_rate",
               .default_value = "0.02",
               .min = 0,
               .max = 1,
               .min_excluded = true,
               .help = "longest step of all, the first: 1 is a full Newton step"},
    kScheduleOption,
    kScheduleHorizonOption,
    OptionSpec{.name = "loss_scale",
               .default_value = "100",
               .min = 0,
               .max = kLargestOption,
               .min_excluded = true,
               .help = "how much the loss counts beside everything else"},
    PenaltyOption("l1", "10", "penalty on ‖w‖₁ beside the loss of all examples"),
    OptionSpec{.name = "examples",
               .default_value = "10000",
               .min = 1,
               .max = 1e15,
               .help = "how many examples l1 is shared out among"},
    OptionSpec{.name = "examples_grow",
               .default_value = "off",
               .choices = kSwitchNames,
               .help = "add the steps so far to examples"},
    OptionSpec{.name = "centering",
               .default_value = "0.9",
               .min = 0,
               .max = 1,
               .help = "σ: the barrier against its present mean; 1 = it stays, 0 = none"},
    OptionSpec{.name = "initial_b",
               .default_value = "1",
               .min = 1e-9,
               .max = kLargestOption,
               .help = "both parts of a weight before anything is learned"},
    OptionSpec{.name = "initial_z",
               .default_value = "1",
               .min = 1e-9,
               .max = kLargestOption,
               .help = "their multipliers before anything is learned"},
    kDimensionOption,
    kBiasOption,
};
constexpr auto kOptions = WithObjective(kOwnOptions, "0.01");

std::unique_ptr<Learner> Make(const OptionValues& complete) {
  std::string text = FormatOptions(kOptions, complete);
  if (WordOption(complete, "form") == "dense") {
    return std::make_unique<RowLearner<DenseRule>>(kName, std::move(text), DenseRule(complete));
  }
  return std::make_unique<RowLearner<StreamingRule>>(kName, std::move(text), StreamingRule(complete));
}

}  // namespace

LearnerSpec InteriorPoint() {
  return {
      .name = kName,
      .summary = "interior-point steps on an L1-regularised loss, every weight strictly inside its bounds",
      .source = "Carbonetto, Schmidt & de Freitas 2008, Eq. 13",
      .cost = "O(nnz(x)), for each feature up to 64 blocks of history; with form=dense O(all features)",
      .options = kOptions,
      .make = Make,
      .whole_model = "with form=dense"};
}

}  // namespace thresher::learners

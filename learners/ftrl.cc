// FTRL-Proximal: McMahan et al., "Ad Click Prediction: a View from the Trenches" (2013), Algorithm 1, with
// additions for models that are small and start from nothing.
//
// On the touched coordinates, with g = L'(a,y) x_j:
//   σ ← (√(n_j + g²) − √n_j)/α,   z_j ← z_j + g − σ w_j,   n_j ← n_j + g²
// and at any time, t being the largest power of two that is at most the number of steps, with
// s = soft(z_j, λ1) and β_t = β(1 + κ/(1 + t)):
//   w_j = 0 if |s| ≤ τ√(2 n_j ln ln 2t),   else −s/((β_t + √n_j)/α + λ2)
//
// In a step on a mistake, an example that is taught because its verdict was wrong, z_j takes up to 3g for g,
// and no more than it must; on another example whose label the model contradicts, it may take less than g:
// ftrl/step_length.h. With λ = `own_part` > 0 groups of features learn in part alone, from derivatives of
// their own: ftrl/value_groups.h.
//
// While w_j is 0, z_j is the sum of its gradients. If their signs were random, |z_j| would be about √n_j and
// would rarely exceed √(2 n_j ln ln 2t) before t doubles: the law of the iterated logarithm. The significance
// τ is the share of that bound which a feature must exceed to get a weight. The warm-up κ damps the first
// steps, which touch every feature for the first time. The growth ρ of the penalty lets a model that must be
// small in the end have more weights at first, when evidence is little: with ρ = 0 the penalty asks for the
// same evidence in all after ten steps and after ten thousand, with ρ = 1 for the same evidence in each step,
// as Xiao's regularised dual averaging does (2010). τ = κ = ρ = λ = 0 is the paper's method, but
// for the steps on mistakes and on labels that the model contradicts.
//
// Learning rates are per coordinate, and w_j depends on (z_j, n_j) and the clock alone: there is no lazy
// update. A row whose weight is 0 still has a state and is live. `forget_every` = F > 0 bounds the number of
// such rows: after every F-th step, each row whose weight is 0 is reset to never seen, unless θ =
// `forget_below` > 0 and its evidence is large, |z_j| ≥ θλ_t.
//
// paper          here
// z_j            Row::coordinate.z
// n_j            Row::coordinate.root², stored as its root: a step needs both roots, and the square only once
//
// The formulas in code are in ftrl/coordinate.h and ftrl/proximal.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "learners/ftrl/options.h"
#include "learners/ftrl/proximal.h"
#include "learners/ftrl/step_length.h"
#include "learners/ftrl/value_groups.h"
#include "learners/rule/row_learner.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kFtrlName = "ftrl";
constexpr std::string_view kForgetBelow = "forget_below";
constexpr std::string_view kGrowth = "l1_growth";
constexpr std::string_view kOwnPartName = "own_part";

struct FtrlRule {
  struct Row {
    Counts counts;
    FtrlCoordinate<double> coordinate;
  };
  struct Globals {
    FtrlGlobals ftrl;
    std::array<uint64_t, 3> unused = {};  // keeps the size of globals that are stored already
  };
  // What is a group's own in a step.
  struct GroupStep {
    double sum = 0;  // Σ w_j x_j of its features
    double derivative = 0;
    bool takes_step = true;
  };
  struct Step {
    double derivative = 0;
    double times = 1;
    FtrlMoment<double> now = {};
    Familiarity familiarity = {};
    ValueGroups groups = {};
    std::array<GroupStep, ValueGroups::kPlaces> of_group = {};
  };

  explicit FtrlRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        ftrl(complete, NumberOption(complete, kGrowth)),
        forget_below(NumberOption(complete, kForgetBelow)),
        own_part(NumberOption(complete, kOwnPartName)) {}

  bool AreSound(const Globals& globals) const { return FtrlProximal::IsSound(globals.ftrl); }
  bool IsSound(const Row& row, const Globals& /*globals*/) const { return row.coordinate.root >= 0; }
  double Intercept(const Globals& globals) const { return ftrl.Intercept(globals.ftrl); }
  auto Weigher(const Globals& globals) const {
    return [now = ftrl.At(globals.ftrl.clock), alpha = ftrl.alpha](const Row& row) {
      return -alpha * now.Ratio(row.coordinate);
    };
  }
  double Weight(const Row& row, const Globals& globals) const { return Weigher(globals)(row); }
  bool IsLive(const Row& row, const Globals& /*globals*/) const {
    return row.coordinate.z != 0 || row.coordinate.root != 0;
  }

  Step BeginStep(const Globals& globals, double derivative) const {
    return {.derivative = derivative, .now = ftrl.At(globals.ftrl.clock)};
  }
  bool MustReadRows(const LabelledMargin& given) const {
    return own_part != 0 || DependsOnFamiliarity(given);
  }
  void ReadRow(const Row& row, double x, Step& step, const Globals& globals) const {
    step.familiarity.Add(x, IsLive(row, globals) && row.counts.Any());
    if (own_part == 0) return;
    step.of_group[step.groups.Add(x)].sum += -ftrl.alpha * step.now.Ratio(row.coordinate) * x;
  }
  void FinishReading(const LabelledMargin& given, Step& step, Globals& /*globals*/) const {
    step.times = TimesOf(given, step.familiarity);
    if (own_part == 0) return;
    double features = 0;
    for (const GroupStep& group : step.of_group) features += group.sum;
    const double slope = objective.Slope(given.margin, given.label);
    for (size_t place = 0; place < ValueGroups::kPlaces; ++place) {
      GroupStep& group = step.of_group[place];
      const double mixed =
          step.groups.MixedSlope(objective, given.label, place, own_part,
                                 {.slope = slope, .intercept = given.margin - features, .part = group.sum});
      group.derivative = objective.Weighted(mixed, given.label);
      group.takes_step = !objective.Skips(mixed);
    }
  }

  template <class EachRow>
  void LimitStep(const LabelledMargin& given, const EachRow& each_row, Step& step,
                 const Globals& /*globals*/) const {
    step.times = LeastTimes(given, objective.loss, step.times, [&](double times) {
      double margin = given.margin;
      each_row([&](const Row& row, double x) {
        FtrlCoordinate<double> moved = row.coordinate;
        Move(moved, x, step, times);
        margin += ftrl.alpha * (step.now.Ratio(row.coordinate) - step.now.Ratio(moved)) * x;
      });
      return margin;
    });
  }
  double TimesTaken(const Step& step, const Globals& /*globals*/) const { return step.times; }

  void Move(FtrlCoordinate<double>& coordinate, double x, const Step& step, double times) const {
    const double ratio = step.now.Ratio(coordinate);
    if (own_part == 0) {
      coordinate.Accumulate(step.derivative * x, ratio, times);
    } else if (const GroupStep& group = step.of_group[step.groups.PlaceOf(x)]; group.takes_step) {
      coordinate.Accumulate(group.derivative * x, ratio, times);
    }
  }
  void UpdateRow(Row& row, double x, const Step& step, Globals& /*globals*/) const {
    Move(row.coordinate, x, step, step.times);
  }
  void TakeRate(Row& row, const Row& other) const { row.coordinate.root = other.coordinate.root; }
  bool EndStep(Globals& globals, const Step& step) const {
    ftrl.EndStep(step.derivative, globals.ftrl);
    return Forgets(globals);
  }

  void Rebase(Row& row, const Globals& globals) const {
    const bool has_evidence =
        forget_below > 0 && std::abs(row.coordinate.z) >= forget_below * ftrl.L1(globals.ftrl.clock);
    if (!has_evidence && Weight(row, globals) == 0 && Forgets(globals)) row = Row();
  }
  bool FinishRebase(Globals& /*globals*/) const { return false; }

  void AdvanceClock(uint64_t steps, Globals& globals) const { ftrl.AdvanceClock(steps, globals.ftrl.clock); }
  void WarmStartRow(const FittedWeight& fitted, Row& row, Globals& globals) const {
    row.coordinate = ftrl.WarmStart(fitted, globals.ftrl.clock);
  }

  bool Forgets(const Globals& globals) const { return ftrl.Forgets(globals.ftrl.clock.steps); }

  Objective objective;
  FtrlProximal ftrl;
  double forget_below;  // θ
  double own_part;      // λ of the groups
};

constexpr auto kFirstOptions =
    WithFtrl(std::array{FtrlRateOption("0.9", "scale of the learning rates α/(β + √n)")}, "0.01");
constexpr auto kAllFtrlOptions = [] {
  std::array<OptionSpec, kFirstOptions.size() + 3> options;
  auto* const later = std::copy(kFirstOptions.begin(), kFirstOptions.end(), options.begin());
  later[0] = {.name = kForgetBelow,
              .default_value = "0",
              .min = 0,
              .max = kLargestOption,
              .help = "forget_every keeps features whose evidence is at least this multiple of l1; 0 = none"};
  later[1] = {.name = kGrowth,
              .default_value = "0",
              .min = 0,
              .max = 1,
              .help = "l1 grows with the steps: it is multiplied by this power of their number"};
  later[2] = {.name = kOwnPartName,
              .default_value = "0",
              .min = 0,
              .max = 1,
              .help =
                  "how far features of one value (n-grams, pairs, words, …) learn as if they stood alone; 0 "
                  "= not at all"};
  return options;
}();

std::unique_ptr<Learner> MakeFtrl(const OptionValues& complete) {
  // Models of older releases were made without the last options. So is what does not use them.
  size_t used = kFirstOptions.size();
  if (NumberOption(complete, kForgetBelow) > 0) used = kFirstOptions.size() + 1;
  if (NumberOption(complete, kGrowth) > 0) used = kFirstOptions.size() + 2;
  if (NumberOption(complete, kOwnPartName) > 0) used = kAllFtrlOptions.size();
  return MakeRowLearner<FtrlRule>(kFtrlName, std::span(kAllFtrlOptions).first(used), complete);
}

}  // namespace

LearnerSpec Ftrl() {
  return {.name = kFtrlName,
          .summary = "follow the regularised leader, with a learning rate per feature",
          .source = "McMahan et al. 2013, Algorithm 1",
          .cost = "O(nnz(x)); a square root and two divisions per feature, three with own_part",
          .options = kAllFtrlOptions,
          .make = MakeFtrl};
}

}  // namespace thresher::learners

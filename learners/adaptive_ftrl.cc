// Several FTRL learners ("experts") with different learning rates, on the same features. The margin is the
// average of theirs, with weights that follow their recent losses: nobody has to know which rate is right for
// the mail and for the share of its labels that are wrong.
//
// Expert k = 0, 1, 2 is FTRL-Proximal (ftrl.cc) with α_k = α/spread^k and with its own state, clock and bias.
// With a_k its margin and w_jk its weights,
//   w_j = Σ_k p_k w_jk,   a = Σ_k p_k a_k
// The model is linear at any time. A step for label y first reads all rows for the a_k. If it is a test,
// the losses L(a_k, y) change the shares p (hedge.h). An example that was learned before is no test of the
// experts: they fit what they have seen, the fastest best. Then each expert takes its own step, with its
// derivative L'(a_k, y), or for the features of a group a mixture with the group's own (value_groups.h).
// Where that is smaller than min_gradient, the group learns nothing from this expert. Where L'(a_k, y) is,
// the expert's clock and bias stay as they are.
//
// Where the caller's margin is not the score (a correction, or a step on a part of an example), all a_k are
// shifted by the difference, so that the experts learn from it what ftrl learns.
//
// Rows hold floats: the state of three experts takes 24 bytes, and each vector instruction computes with all
// three. √n stops growing after some millions of equal gradients. Numbers beyond 2^60 are cut, so that
// nothing overflows: no weight exceeds 2^112.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "learners/ftrl/hedge.h"
#include "learners/ftrl/options.h"
#include "learners/ftrl/proximal.h"
#include "learners/ftrl/step_length.h"
#include "learners/ftrl/value_groups.h"
#include "learners/rule/row_learner.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kAdaptiveFtrlName = "adaptive-ftrl";
constexpr size_t kExperts = 3;
constexpr double kOwnPart = 0.5;  // λ of the groups
using PerExpert = std::array<double, kExperts>;

constexpr float kLargest = 0x1p60F;          // of z and √n
constexpr float kLargestGradient = 0x1p30F;  // √n of such gradients stops growing below 2^43

float Single(double number) {
  constexpr auto kBound = static_cast<double>(kLargest);
  return static_cast<float>(std::clamp(number, -kBound, kBound));
}

struct AdaptiveFtrlRule {
  struct Row {
    Counts counts;
    std::array<float, 2 * kExperts> state = {};  // z of each expert, then √n of each
  };
  struct Globals {
    std::array<FtrlGlobals, kExperts> experts;
    Hedge<kExperts> hedge;
    uint64_t steps = 0;
    std::array<uint64_t, 6> unused = {};  // room for later state without a new size
  };
  // What is a group's own in a step.
  struct GroupStep {
    PerExpert sums = {};  // Σ w_jk x_j of its features
    Floats slopes = {};   // its derivative for each expert
    Lanes takes_step = {};
  };
  struct Step {
    FtrlMoment<Floats> now = {};
    Floats rates = {};
    Floats largest = {};
    Floats largest_gradient = {};
    PerExpert margins = {};
    double shift = 0;  // from their average to the margin that is given
    PerExpert derivatives = {};
    Lanes takes_step = {};
    Floats times = {};
    Familiarity familiarity = {};
    ValueGroups groups = {};
    std::array<GroupStep, ValueGroups::kPlaces> of_group = {};
  };

  explicit AdaptiveFtrlRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        experts{Expert(complete, 0), Expert(complete, 1), Expert(complete, 2)},
        memory(NumberOption(complete, "memory")) {}

  static FtrlProximal Expert(const OptionValues& complete, int k) {
    FtrlProximal expert(complete);
    for (int i = 0; i < k; ++i) expert.alpha /= NumberOption(complete, "spread");
    return expert;
  }

  bool AreSound(const Globals& globals) const {
    bool sound = globals.hedge.IsSound();
    for (const FtrlGlobals& expert : globals.experts) sound = sound && FtrlProximal::IsSound(expert);
    return sound;
  }
  bool IsSound(const Row& row, const Globals& /*globals*/) const {
    const auto is_bounded = [](float number) { return std::abs(number) <= kLargest; };
    const auto roots = std::span(row.state).last<kExperts>();
    return std::ranges::all_of(row.state, is_bounded) &&
           std::ranges::all_of(roots, [](float root) { return root >= 0; });
  }

  double Intercept(const Globals& globals) const {
    PerExpert intercepts = {};
    for (size_t k = 0; k < kExperts; ++k) intercepts[k] = experts[k].Intercept(globals.experts[k]);
    return globals.hedge.Mean(intercepts);
  }
  // −α of each expert, in floats.
  Floats Rates() const {
    Floats rates = {};
    for (size_t k = 0; k < kExperts; ++k) rates[k] = Single(-experts[k].alpha);
    return rates;
  }
  FtrlMoment<Floats> At(const Globals& globals) const {
    FtrlMoment<Floats> now = {.damping = Everywhere(1)};  // no division by 0 in the unused lane
    for (size_t k = 0; k < kExperts; ++k) {
      const FtrlMoment<double> its = experts[k].At(globals.experts[k].clock);
      now.l1[k] = Single(its.l1);
      now.chance[k] = Single(its.chance);
      now.damping[k] = Single(its.damping);
    }
    return now;
  }

  auto Weigher(const Globals& globals) const {
    Floats factors = Rates();
    for (size_t k = 0; k < kExperts; ++k) factors[k] *= Single(globals.hedge.shares[k]);
    return [now = At(globals), factors](const Row& row) {
      const Floats weights = factors * now.Ratio(Load(row));
      return static_cast<double>(weights[0] + weights[1] + weights[2]);
    };
  }
  double Weight(const Row& row, const Globals& globals) const { return Weigher(globals)(row); }

  bool IsLive(const Row& row, const Globals& /*globals*/) const {
    using Words = std::array<uint64_t, kExperts>;
    constexpr uint64_t kAllButSigns = 0x7FFFFFFF7FFFFFFF;
    const auto words = std::bit_cast<Words>(row.state);
    return ((words[0] | words[1] | words[2]) & kAllButSigns) != 0;
  }

  // Each expert has its own derivative: FinishReading.
  Step BeginStep(const Globals& globals, double /*derivative*/) const {
    return {.now = At(globals),
            .rates = Rates(),
            .largest = Everywhere(largest),
            .largest_gradient = Everywhere(largest_gradient)};
  }

  void ReadRow(const Row& row, double x, Step& step, const Globals& globals) const {
    step.familiarity.Add(x, IsLive(row, globals) && row.counts.Any());
    const Floats weights = step.rates * step.now.Ratio(Load(row));
    PerExpert& sums = step.of_group[step.groups.Add(x)].sums;
    for (size_t k = 0; k < kExperts; ++k) {
      const double part = static_cast<double>(weights[k]) * x;
      step.margins[k] += part;
      sums[k] += part;
    }
  }

  void FinishReading(const LabelledMargin& given, Step& step, Globals& globals) const {
    PerExpert intercepts = {};
    for (size_t k = 0; k < kExperts; ++k) {
      intercepts[k] = experts[k].Intercept(globals.experts[k]);
      step.margins[k] += intercepts[k];
    }
    step.shift = given.margin - globals.hedge.Mean(step.margins);
    PerExpert losses = {};
    for (size_t k = 0; k < kExperts; ++k) {
      const double margin = step.margins[k] + step.shift;
      const double slope = objective.Slope(margin, given.label);
      losses[k] = objective.Value(margin, given.label);
      step.derivatives[k] = objective.Weighted(slope, given.label);
      LabelledMargin its = given;
      its.margin = margin;
      step.times[k] = Single(TimesOf(its, step.familiarity));
      step.takes_step[k] = objective.Skips(slope) ? 0 : -1;
      FinishGroups(k, slope, intercepts[k] + step.shift, given.label, step);
    }
    if (given.occasion == Occasion::kNew) globals.hedge.Learn(losses, memory);
    if (given.occasion.IsMistake()) globals.hedge.LearnMistake(memory);
  }

  // `slope`: of expert k for the whole example. `intercept`: what its margin has besides the features.
  void FinishGroups(size_t k, double slope, double intercept, Label label, Step& step) const {
    for (size_t place = 0; place < ValueGroups::kPlaces; ++place) {
      GroupStep& group = step.of_group[place];
      const double mixed = step.groups.MixedSlope(
          objective, label, place, kOwnPart, {.slope = slope, .intercept = intercept, .part = group.sums[k]});
      group.slopes[k] = Single(objective.Weighted(mixed, label));
      group.takes_step[k] = objective.Skips(mixed) ? 0 : -1;
    }
  }

  template <class EachRow>
  void LimitStep(const LabelledMargin& given, const EachRow& each_row, Step& step,
                 const Globals& globals) const {
    Floats factors = step.rates;
    double longest = 0;
    for (size_t k = 0; k < kExperts; ++k) {
      factors[k] *= Single(globals.hedge.shares[k]);
      longest = std::max(longest, static_cast<double>(step.times[k]));
    }
    // The shares have moved since the margin was given.
    const double before = globals.hedge.Mean(step.margins) + step.shift;
    const double times = LeastTimes(given, objective.loss, longest, [&](double tried) {
      const Floats limited = Limited(step.times, tried);
      double margin = before;
      each_row([&](const Row& row, double x) {
        const FtrlCoordinate<Floats> old = Load(row);
        const Floats weights = factors * (step.now.Ratio(Moved(old, x, step, limited)) - step.now.Ratio(old));
        margin += static_cast<double>(weights[0] + weights[1] + weights[2]) * x;
      });
      return margin;
    });
    step.times = Limited(step.times, times);
  }
  double TimesTaken(const Step& step, const Globals& globals) const {
    PerExpert times = {};
    for (size_t k = 0; k < kExperts; ++k) times[k] = static_cast<double>(step.times[k]);
    return globals.hedge.Mean(times);
  }
  static Floats Limited(Floats times, double most) {
    const Floats limit = Everywhere(static_cast<float>(most));
    return times < limit ? times : limit;
  }

  static FtrlCoordinate<Floats> Moved(const FtrlCoordinate<Floats>& old, double x, const Step& step,
                                      Floats times) {
    FtrlCoordinate<Floats> moved = old;
    const GroupStep& group = step.of_group[step.groups.PlaceOf(x)];
    const Floats gradients = group.slopes * Everywhere(static_cast<float>(x));
    moved.Accumulate(Within(step.largest_gradient, gradients), step.now.Ratio(old), times);
    return {.z = group.takes_step ? Within(step.largest, moved.z) : old.z,
            .root = group.takes_step ? moved.root : old.root};
  }
  void UpdateRow(Row& row, double x, const Step& step, Globals& /*globals*/) const {
    Store(Moved(Load(row), x, step, step.times), row);
  }

  void TakeRate(Row& row, const Row& other) const { Store({.root = Load(other).root}, row); }

  bool EndStep(Globals& globals, const Step& step) const {
    for (size_t k = 0; k < kExperts; ++k) {
      if (step.takes_step[k] != 0) experts[k].EndStep(step.derivatives[k], globals.experts[k]);
    }
    ++globals.steps;
    return Forgets(globals);
  }

  void Rebase(Row& row, const Globals& globals) const {
    if (!Forgets(globals)) return;
    const Floats ratios = At(globals).Ratio(Load(row));
    if (ratios[0] == 0 && ratios[1] == 0 && ratios[2] == 0) row = Row();
  }
  bool FinishRebase(Globals& /*globals*/) const { return false; }

  void AdvanceClock(uint64_t steps, Globals& globals) const {
    for (size_t k = 0; k < kExperts; ++k) experts[k].AdvanceClock(steps, globals.experts[k].clock);
    globals.steps = steps;
  }
  void WarmStartRow(const FittedWeight& fitted, Row& row, Globals& globals) const {
    FtrlCoordinate<Floats> coordinate;
    for (size_t k = 0; k < kExperts; ++k) {
      const FtrlCoordinate<double> its = experts[k].WarmStart(fitted, globals.experts[k].clock);
      coordinate.z[k] = Single(its.z);
      coordinate.root[k] = Single(its.root);
    }
    Store(coordinate, row);
  }

  bool Forgets(const Globals& globals) const { return experts[0].Forgets(globals.steps); }

  // The fourth lane is 0. Both vectors are read and written whole; their fourth floats overlap the other
  // one's.
  static FtrlCoordinate<Floats> Load(const Row& row) {
    Floats first;
    Floats last;
    std::memcpy(&first, &row.state[0], sizeof first);
    std::memcpy(&last, &row.state[2], sizeof last);
    return {.z = __builtin_shufflevector(first, Floats{}, 0, 1, 2, 4),
            .root = __builtin_shufflevector(last, Floats{}, 1, 2, 3, 4)};
  }
  static void Store(const FtrlCoordinate<Floats>& coordinate, Row& row) {
    const Floats first = __builtin_shufflevector(coordinate.z, coordinate.root, 0, 1, 2, 4);
    const Floats last = __builtin_shufflevector(coordinate.z, coordinate.root, 2, 4, 5, 6);
    std::memcpy(&row.state[0], &first, sizeof first);
    std::memcpy(&row.state[2], &last, sizeof last);
  }

  Objective objective;
  std::array<FtrlProximal, kExperts> experts;
  double memory;
  // Variables, because g++ finds no minimum instruction for constants.
  float largest = kLargest;
  float largest_gradient = kLargestGradient;
};

constexpr auto kAdaptiveFtrlOptions = WithFtrl(
    std::array{FtrlRateOption("1.5", "scale of the learning rates α/(β + √n) of the fastest expert"),
               OptionSpec{.name = "spread",
                          .default_value = "3",
                          .min = 1,
                          .max = 100,
                          .help = "ratio of alpha between one expert and the next"},
               OptionSpec{.name = "memory",
                          .default_value = "0.99",
                          .min = 0,
                          .max = 1,
                          .help = "factor by which the experts' earlier losses fade with each new example"}},
    "0.003");

std::unique_ptr<Learner> MakeAdaptiveFtrl(const OptionValues& complete) {
  return MakeRowLearner<AdaptiveFtrlRule>(kAdaptiveFtrlName, kAdaptiveFtrlOptions, complete);
}

}  // namespace

LearnerSpec AdaptiveFtrl() {
  return {.name = kAdaptiveFtrlName,
          .summary = "ftrl at three learning rates, averaged by their recent losses",
          .source = "McMahan et al. 2013; Littlestone & Warmuth 1994",
          .cost = "O(nnz(x)); a root and three divisions of four numbers at once per feature",
          .options = kAdaptiveFtrlOptions,
          .make = MakeAdaptiveFtrl};
}

}  // namespace thresher::learners

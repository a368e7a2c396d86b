// Truncated gradient: Langford, Li & Zhang, "Sparse Online Learning via Truncated Gradient" (2009).
//
// On the touched coordinates     w_j ← w_j − η L'(a,y) x_j
// then, every K-th step, on all  w_j ← soft(w_j, K η g) where |w_j| ≤ θ, else w_j
//
// Only a gradient step can move a weight above θ, that is, only when it is touched. So each row records on
// which side of θ its weight is: up to θ it is stored with the shift that all such weights share, above θ as
// it is.
//
// paper          here
// g, gravity     gravity
// K              truncate_every
// θ              threshold
#include <array>
#include <limits>

#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/shrinkage/shrinkage.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kTruncatedGradientName = "truncated-gradient";

struct TruncatedGradientRule {
  struct Row {
    Counts counts;
    double u = 0;     // a weight of at most θ, as Shrinkage stores it, or 0
    double free = 0;  // a weight above θ, or 0
  };
  struct Globals {
    Shrinkage shrinkage;
    double bias = 0;
  };
  struct Step {
    double rate = 0;           // η
    double bias_gradient = 0;  // L', or 0 without a bias
    double gradient = 0;       // η·L'
    double inverse_scale = 1;  // 1/s, exact: s changes by powers of 2 only
  };

  explicit TruncatedGradientRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        schedule(ReadSchedule(complete)),
        gravity(NumberOption(complete, "gravity")),
        truncate_every(static_cast<uint64_t>(NumberOption(complete, "truncate_every"))),
        threshold(NumberOption(complete, "threshold")),
        has_bias(SwitchOption(complete, "bias")) {}

  double Intercept(const Globals& globals) const { return globals.bias; }

  double Weight(const Row& row, const Globals& globals) const {
    return row.free + globals.shrinkage.Weight(row.u);
  }

  bool IsLive(const Row& row, const Globals& globals) const {
    return (row.free != 0) | globals.shrinkage.IsLive(row.u);
  }

  Step BeginStep(const Globals& globals, double derivative) const {
    const double rate = schedule.Rate(globals.shrinkage.steps);
    return {.rate = rate,
            .bias_gradient = has_bias ? derivative : 0,
            .gradient = rate * derivative,
            .inverse_scale = 1 / globals.shrinkage.scale};
  }

  void UpdateRow(Row& row, double x, const Step& step, Globals& globals) const {
    const double weight = Weight(row, globals) - step.gradient * x;
    const bool above = std::abs(weight) > threshold;
    row.free = above ? weight : 0;
    row.u = globals.shrinkage.Moved(0, above ? 0 : weight * step.inverse_scale);
    globals.shrinkage.Include(row.u);
  }

  bool EndStep(Globals& globals, const Step& step) const {
    globals.bias -= step.rate * step.bias_gradient;
    ++globals.shrinkage.steps;
    if (globals.shrinkage.steps % truncate_every != 0) return false;
    const double amount = static_cast<double>(truncate_every) * step.rate * gravity;
    globals.shrinkage.Subtract(amount);
    globals.shrinkage.RescaleIfAllZero(amount);
    return globals.shrinkage.RebaseDue();
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
  double gravity;
  uint64_t truncate_every;
  double threshold;
  bool has_bias;
};

constexpr std::array<OptionSpec, 7> kTruncatedGradientOwnOptions = {
    LearningRateOption("8"),
    kScheduleOption,
    kScheduleHorizonOption,
    PenaltyOption("gravity", "3e-06", "shrinkage of a weight per step; larger values give sparser models"),
    OptionSpec{.name = "truncate_every",
               .default_value = "1",
               .min = 1,
               .max = kLargestOption,
               .whole = true,
               .help = "steps between two truncations; each shrinks as much as all of them would"},
    OptionSpec{.name = "threshold",
               .default_value = "inf",
               .min = 0,
               .max = std::numeric_limits<double>::infinity(),
               .min_excluded = true,
               .help = "weights of a larger magnitude are not shrunk"},
    kBiasOption,
};
constexpr auto kTruncatedGradientOptions = WithObjective(kTruncatedGradientOwnOptions, "0.02");

std::unique_ptr<Learner> MakeTruncatedGradient(const OptionValues& complete) {
  return MakeRowLearner<TruncatedGradientRule>(kTruncatedGradientName, kTruncatedGradientOptions, complete);
}

}  // namespace

LearnerSpec TruncatedGradient() {
  return {.name = kTruncatedGradientName,
          .summary = "gradient descent that shrinks small weights towards 0 and leaves large ones unchanged",
          .source = "Langford, Li & Zhang 2009",
          .cost = "O(nnz(x))",
          .options = kTruncatedGradientOptions,
          .make = MakeTruncatedGradient};
}

}  // namespace thresher::learners

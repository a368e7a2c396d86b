// Truncated gradient: Langford, Li & Zhang, "Sparse Online Learning via Truncated Gradient" (2009).
//
// On the touched coordinates     w_j ← w_j − η L'(a,y) x_j
// then, every K-th step, on all  w_j ← soft(w_j, K η g) where |w_j| ≤ θ, else w_j
//
// A weight moves over θ only by a gradient, that is, when it is touched. So each row knows on which side its
// weight stands: below θ it is held in the shift all such weights share, above θ as it is.
//
// paper          here
// g, gravity     gravity
// K              truncate_every
// θ              threshold
#include <array>
#include <limits>

#include "learners/gradient_options.h"
#include "learners/row_learner.h"
#include "learners/shrinkage.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kName = "truncated-gradient";

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
    double inverse_scale = 1;  // 1/s, exact: only renewing changes s, by powers of 2
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

  void Touch(Row& row, double x, const Step& step, Globals& globals) const {
    const double weight = Weight(row, globals) - step.gradient * x;
    const bool above = std::abs(weight) > threshold;
    row.free = above ? weight : 0;
    row.u = globals.shrinkage.Moved(0, above ? 0 : weight * step.inverse_scale);
    globals.shrinkage.Raise(row.u);
  }

  bool EndStep(Globals& globals, const Step& step) const {
    globals.bias -= step.rate * step.bias_gradient;
    ++globals.shrinkage.steps;
    if (globals.shrinkage.steps % truncate_every != 0) return false;
    const double pull = static_cast<double>(truncate_every) * step.rate * gravity;
    globals.shrinkage.Subtract(pull);
    globals.shrinkage.RenewIfDead(pull);
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

constexpr std::array<OptionSpec, 7> kOwnOptions = {
    LearningRateOption("8"),
    kScheduleOption,
    kScheduleHorizonOption,
    PenaltyOption("gravity", "3e-06", "how far a step pulls a weight towards 0: how sparse the model is"),
    OptionSpec{.name = "truncate_every",
               .default_value = "1",
               .min = 1,
               .max = kLargestOption,
               .whole = true,
               .help = "steps between two pulls, each as strong as all it stands for"},
    OptionSpec{.name = "threshold",
               .default_value = "inf",
               .min = 0,
               .max = std::numeric_limits<double>::infinity(),
               .min_excluded = true,
               .help = "weights larger than this are not pulled"},
    kBiasOption,
};
constexpr auto kOptions = WithObjective(kOwnOptions, "0.02");

std::unique_ptr<Learner> Make(const OptionValues& complete) {
  using Rule = TruncatedGradientRule;
  return std::make_unique<RowLearner<Rule>>(kName, FormatOptions(kOptions, complete), Rule(complete));
}

}  // namespace

LearnerSpec TruncatedGradient() {
  return {.name = kName,
          .summary = "gradient descent that pulls small weights to zero and leaves large ones alone",
          .source = "Langford, Li & Zhang 2009",
          .cost = "O(nnz(x))",
          .options = kOptions,
          .make = Make};
}

}  // namespace thresher::learners

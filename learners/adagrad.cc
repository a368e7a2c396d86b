// AdaGrad with an elastic net, applied lazily: Duchi, Hazan & Singer, "Adaptive Subgradient Methods for
// Online Learning and Stochastic Optimization" (2011), composite mirror descent with a diagonal matrix.
//
// On the touched coordinates, with g = L'(a,y) x_j:
//   n_j ← n_j + g²,   w_j ← w_j − η g/h_j
// then on all coordinates, with h_j = δ + √n_j:
//   |w_j| ← max(|w_j| − ηλ1/h_j, 0)/(1 + ηλ2/h_j)
//
// While a coordinate is untouched, h_j stands still: each step is the same map |w| ← max(|w| − b, 0)/(1 + c)
// with b = ηλ1/h_j and c = ηλ2/h_j. Unrolled over k steps, with q = (1 + c)^−k,
//   |w| ← max(q|w| − b(1 − q)/c, 0)            c → 0: max(|w| − kb, 0)
// Cutting at 0 once is enough: the map is monotone and leaves 0 at 0. So a row keeps the number of the step
// that last touched it, and no table of past steps is needed.
//
// A row whose weight is 0 still has a rate and is live. `forget_every` = F > 0 bounds the number of such
// rows: after every F-th step, each row whose weight is 0 is reset to never seen.
//
// paper          here
// ‖g_{1:t,j}‖₂   Row::root
// H_{t,jj}       damping + Row::root
#include <algorithm>
#include <array>
#include <cmath>

#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kAdagradName = "adagrad";

struct AdaGradRule {
  struct Row {
    Counts counts;
    double weight = 0;   // after its last gradient step, without the penalties since
    double root = 0;     // √n
    uint64_t begun = 0;  // the steps taken before that one
  };
  struct Globals {
    double bias = 0;
    double bias_root = 0;
    uint64_t steps = 0;
  };
  struct Step {
    double derivative = 0;
  };

  explicit AdaGradRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        rate(NumberOption(complete, "learning_rate")),
        damping(NumberOption(complete, "damping")),
        rate_l1(rate * NumberOption(complete, "l1")),
        rate_l2(rate * NumberOption(complete, "l2")),
        has_bias(SwitchOption(complete, "bias")),
        forget_every(static_cast<uint64_t>(NumberOption(complete, kForgetEveryOption.name))) {}

  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& globals) const {
    const auto pending = static_cast<double>(globals.steps - row.begun);
    return std::copysign(AfterPenalties(std::abs(row.weight), damping + row.root, pending), row.weight);
  }
  bool IsLive(const Row& row, const Globals& globals) const {
    return row.root != 0 || Weight(row, globals) != 0;
  }

  Step BeginStep(const Globals& /*globals*/, double derivative) const { return {.derivative = derivative}; }
  void UpdateRow(Row& row, double x, const Step& step, const Globals& globals) const {
    const double g = step.derivative * x;
    const double weight = Weight(row, globals);
    row.root = std::sqrt(row.root * row.root + g * g);
    row.weight = weight - rate * g / (damping + row.root);
    row.begun = globals.steps;
  }
  bool EndStep(Globals& globals, const Step& step) const {
    if (has_bias) {
      const double g = step.derivative;
      globals.bias_root = std::sqrt(globals.bias_root * globals.bias_root + g * g);
      globals.bias -= rate * g / (damping + globals.bias_root);
    }
    ++globals.steps;
    return Forgets(globals);
  }

  void Rebase(Row& row, const Globals& globals) const {
    if (Forgets(globals) && Weight(row, globals) == 0) row = Row();
  }
  bool FinishRebase(Globals& /*globals*/) const { return false; }

  void AdvanceClock(uint64_t steps, Globals& globals) const { globals.steps = steps; }
  void WarmStartRow(const FittedWeight& fitted, Row& row, const Globals& globals) const {
    row.weight = fitted.weight;
    row.root = fitted.gradient_norm;
    row.begun = globals.steps;
  }

  bool AreSound(const Globals& globals) const {
    return std::isfinite(globals.bias) && std::isfinite(globals.bias_root) && globals.bias_root >= 0;
  }
  bool IsSound(const Row& row, const Globals& globals) const {
    return row.root >= 0 && row.begun <= globals.steps;
  }

  // A weight's magnitude after the penalties of the pending steps, for h of the coordinate.
  double AfterPenalties(double magnitude, double h, double pending) const {
    const double b = rate_l1 / h;
    const double c = rate_l2 / h;
    if (c == 0) return std::max(magnitude - pending * b, 0.0);
    const double log_q = -pending * std::log1p(c);
    return std::max(std::exp(log_q) * magnitude + std::expm1(log_q) / c * b, 0.0);
  }

  bool Forgets(const Globals& globals) const {
    return forget_every != 0 && globals.steps % forget_every == 0;
  }

  Objective objective;
  double rate;     // η
  double damping;  // δ
  double rate_l1;  // ηλ1
  double rate_l2;  // ηλ2
  bool has_bias;
  uint64_t forget_every;
};

constexpr std::array<OptionSpec, 6> kAdagradOwnOptions = {
    OptionSpec{.name = "learning_rate",
               .default_value = "1.5",
               .min = 0,
               .max = kLargestOption,
               .min_excluded = true,
               .help = "η of the learning rates η/(δ + √n), n the sum of the feature's squared gradients"},
    OptionSpec{.name = "damping",
               .default_value = "0.06",
               .min = 1e-9,
               .max = kLargestOption,
               .help = "δ of the learning rates; larger values damp the first steps"},
    PenaltyOption("l1", "1e-05", "penalty on ‖w‖₁; larger values give sparser models"),
    PenaltyOption("l2", "0", "penalty on ‖w‖²/2; larger values give smaller weights"),
    kBiasOption,
    kForgetEveryOption,
};
constexpr auto kAdagradOptions = WithObjective(kAdagradOwnOptions, "0.01");

std::unique_ptr<Learner> MakeAdagrad(const OptionValues& complete) {
  return MakeRowLearner<AdaGradRule>(kAdagradName, kAdagradOptions, complete);
}

}  // namespace

LearnerSpec Adagrad() {
  return {.name = kAdagradName,
          .summary = "gradient descent with a learning rate per feature and the elastic net, applied lazily",
          .source = "Duchi, Hazan & Singer 2011, composite mirror descent, diagonal",
          .cost = "O(nnz(x)); a root and two divisions per feature, and two exponentials with l2",
          .options = kAdagradOptions,
          .make = MakeAdagrad};
}

}  // namespace thresher::learners

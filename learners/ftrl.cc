// FTRL-Proximal: McMahan et al., "Ad Click Prediction: a View from the Trenches" (2013), Algorithm 1, with
// two additions for models that are small and start from nothing.
//
// On the touched coordinates, with g = L'(a,y) x_j:
//   σ ← (√(n_j + g²) − √n_j)/α,   z_j ← z_j + g − σ w_j,   n_j ← n_j + g²
// and at any time, t being the largest power of two that is at most the number of steps, with
// s = soft(z_j, λ1) and β_t = β(1 + κ/(1 + t)):
//   w_j = 0 if |s| ≤ τ√(2 n_j ln ln 2t),   else −s/((β_t + √n_j)/α + λ2)
//
// While w_j is 0, z_j is the sum of its gradients. If their signs were random, |z_j| would be about √n_j and
// would rarely exceed √(2 n_j ln ln 2t) before t doubles: the law of the iterated logarithm. The significance
// τ is the share of that bound which a feature must exceed to get a weight. The warm-up κ damps the first
// steps, which touch every feature for the first time. τ = κ = 0 is the paper's method.
//
// Learning rates are per coordinate, and w_j depends on (z_j, n_j) and the clock alone: there is no lazy
// update. A row whose weight is 0 still has a state and is live. `forget_every` = F > 0 bounds the number of
// such rows: after every F-th step, each row whose weight is 0 is reset to never seen.
//
// paper          here
// z_j            Row::z
// n_j            Row::root², stored as its root: a step needs both roots, and the square only once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/shrinkage/soft_threshold.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kName = "ftrl";

struct FtrlRule {
  struct Row {
    Counts counts;
    double z = 0;
    double root = 0;  // √n
  };
  struct Globals {
    double bias_z = 0;
    double bias_root = 0;
    uint64_t steps = 0;
    double bound = 0;                     // √(2 ln ln 2t), or 0 while there is no such number
    double warm_up_left = 1;              // 1/(1 + t)
    std::array<uint64_t, 3> unused = {};  // keeps the size of globals that are stored already
  };
  struct Step {
    double derivative = 0;
  };

  explicit FtrlRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        alpha(NumberOption(complete, "alpha")),
        beta(NumberOption(complete, "beta")),
        l1(NumberOption(complete, "l1")),
        significance(NumberOption(complete, "significance")),
        beta_warm_up(beta * NumberOption(complete, "warm_up")),
        l2(NumberOption(complete, "l2")),
        has_bias(SwitchOption(complete, "bias")),
        forget_every(static_cast<uint64_t>(NumberOption(complete, "forget_every"))) {}

  double Beta(const Globals& globals) const { return beta + beta_warm_up * globals.warm_up_left; }

  bool AreSound(const Globals& globals) const {
    return std::isfinite(globals.bias_z) && std::isfinite(globals.bias_root) &&
           std::isfinite(globals.bound) && std::isfinite(globals.warm_up_left);
  }
  // The bias has no penalties.
  double Intercept(const Globals& globals) const {
    return -alpha * globals.bias_z / (Beta(globals) + globals.bias_root);
  }

  double Weight(const Row& row, const Globals& globals) const { return -alpha * Ratio(row, globals); }

  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.z != 0 || row.root != 0; }

  Step BeginStep(const Globals& /*globals*/, double derivative) const { return {.derivative = derivative}; }

  void UpdateRow(Row& row, double x, const Step& step, Globals& globals) const {
    Accumulate(step.derivative * x, Ratio(row, globals), row.z, row.root);
  }

  bool EndStep(Globals& globals, const Step& step) const {
    if (has_bias) {
      const double ratio = globals.bias_z / (Beta(globals) + globals.bias_root);
      Accumulate(step.derivative, ratio, globals.bias_z, globals.bias_root);
    }
    ++globals.steps;
    if (std::has_single_bit(globals.steps)) SetClock(globals.steps, globals);
    return Forgets(globals);
  }

  void Rebase(Row& row, const Globals& globals) const {
    if (Ratio(row, globals) == 0 && Forgets(globals)) row = Row();
  }
  bool FinishRebase(Globals& /*globals*/) const { return false; }

  void AdvanceClock(uint64_t steps, Globals& globals) const {
    if (steps > 0) SetClock(std::bit_floor(steps), globals);
    globals.steps = steps;
  }

  // Sets √n to the norm of the gradients, or to half of the largest value for which the weight is significant
  // if that is less; then z to the value that has this weight.
  void WarmStartRow(const FittedWeight& fitted, Row& row, Globals& globals) const {
    const double magnitude = std::abs(fitted.weight);
    const double damping = Beta(globals) + alpha * l2;
    const double needed = alpha * significance * globals.bound - magnitude;
    row.root = fitted.gradient_norm;
    if (needed > 0) row.root = std::min(row.root, magnitude * damping / needed / 2);
    row.z = InverseSoftThreshold(-fitted.weight * (damping + row.root) / alpha, l1);
  }

  // `t` is a power of two.
  void SetClock(uint64_t t, Globals& globals) const {
    if (significance == 0 && beta_warm_up == 0) return;
    const auto steps = static_cast<double>(t);
    globals.bound = t < 2 ? 0 : std::sqrt(2 * std::log(std::log(2 * steps)));
    globals.warm_up_left = 1 / (1 + steps);
  }

  bool Forgets(const Globals& globals) const {
    return forget_every != 0 && globals.steps % forget_every == 0;
  }

  // −w/α
  double Ratio(const Row& row, const Globals& globals) const {
    const double beyond = SoftThreshold(row.z, l1);
    const bool is_significant = std::abs(beyond) > significance * globals.bound * row.root;
    // Dividing 0 costs less than a mispredicted branch.
    return (is_significant ? beyond : 0) / (Beta(globals) + alpha * l2 + row.root);
  }

  // `ratio` is −w/α, so that −σw is the ratio times the growth of √n.
  static void Accumulate(double g, double ratio, double& z, double& root) {
    const double grown = std::sqrt(root * root + g * g);
    z += g + (grown - root) * ratio;
    root = grown;
  }

  Objective objective;
  double alpha;
  double beta;
  double l1;
  double significance;  // τ
  double beta_warm_up;  // βκ
  double l2;
  bool has_bias;
  uint64_t forget_every;
};

constexpr double kSmallestRate = 1e-9;

constexpr std::array<OptionSpec, 8> kOwnOptions = {
    OptionSpec{.name = "alpha",
               .default_value = "0.9",
               .min = kSmallestRate,
               .max = kLargestOption,
               .help = "scale of the learning rates α/(β + √n)"},
    OptionSpec{.name = "beta",
               .default_value = "0.004",
               .min = kSmallestRate,
               .max = kLargestOption,
               .help = "β of the learning rates; larger values damp the first steps"},
    PenaltyOption("l1", "0.0002", "penalty on ‖w‖₁; larger values give sparser models"),
    PenaltyOption("l2", "0", "penalty on ‖w‖²/2; larger values give smaller weights"),
    OptionSpec{.name = "significance",
               .default_value = "0.6",
               .min = 0,
               .max = kLargestOption,
               .help = "evidence a feature needs before it gets a weight, in units of chance; 0 = none"},
    OptionSpec{.name = "warm_up",
               .default_value = "25",
               .min = 0,
               .max = kLargestOption,
               .help = "damps the first steps: beta is multiplied by 1 + warm_up/(1 + steps)"},
    kBiasOption,
    OptionSpec{.name = "forget_every",
               .default_value = "0",
               .min = 0,
               .max = 1e15,
               .whole = true,
               .help = "after every so many steps, reset features whose weight is 0; 0 = never"},
};
constexpr auto kOptions = WithObjective(kOwnOptions, "0.01");

std::unique_ptr<Learner> Make(const OptionValues& complete) {
  return std::make_unique<RowLearner<FtrlRule>>(kName, FormatOptions(kOptions, complete), FtrlRule(complete));
}

}  // namespace

LearnerSpec Ftrl() {
  return {.name = kName,
          .summary = "follow the regularised leader, with a learning rate per feature",
          .source = "McMahan et al. 2013, Algorithm 1",
          .cost = "O(nnz(x)); a square root and two divisions per feature",
          .options = kOptions,
          .make = Make};
}

}  // namespace thresher::learners

// FTRL-Proximal: McMahan et al., "Ad Click Prediction: a View from the Trenches" (2013), Algorithm 1, with
// two additions for models that are small and begin with nothing.
//
// On the touched coordinates, with g = L'(a,y) x_j:
//   σ ← (√(n_j + g²) − √n_j)/α,   z_j ← z_j + g − σ w_j,   n_j ← n_j + g²
// and at any time, t being the largest power of two of the steps taken, with s = soft(z_j, λ1) and
// β_t = β(1 + κ/(1 + t)):
//   w_j = 0 if |s| ≤ τ√(2 n_j ln ln 2t),   else −s/((β_t + √n_j)/α + λ2)
//
// While w_j is 0, z_j is the sum of its gradients. If they had no direction, it would be about √n_j, and
// until t doubles it would hardly ever pass √(2 n_j ln ln 2t): the law of the iterated logarithm. τ, the
// significance, is how much of that a feature has to show before it counts. κ, the warm-up, keeps the first
// steps, which move every feature there is, from overshooting. τ = κ = 0 is the paper's method.
//
// Rates are per coordinate, and w_j depends on its own (z_j, n_j) and the clock alone: there is nothing to
// catch up on. But a weight of 0 has a state, so its row is live. `forget_every` = F > 0 bounds them: after
// every F-th step, each row whose weight is 0 becomes as never seen.
//
// A weight changes when it is touched or t doubles. So the non-zeros and ‖w‖₁ are counted as they change, and
// anew, in a pass over all rows, when t doubles. All those passes together see a row twice on average.
//
// paper          here
// z_j            Row::z
// n_j            Row::root², kept as a root because a step needs both roots and the square only once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "learners/fixed_sum.h"
#include "learners/gradient_options.h"
#include "learners/row_learner.h"
#include "learners/soft.h"
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
  struct Tally {
    uint64_t nonzeros = 0;
    FixedSum ratios;  // ‖w‖₁/α
  };
  struct Globals {
    double bias_z = 0;
    double bias_root = 0;
    uint64_t steps = 0;
    double bound = 0;  // √(2 ln ln 2t), or 0 while there is no such number
    double youth = 1;  // 1/(1 + t)
    Tally tally;
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

  double Beta(const Globals& globals) const { return beta + beta_warm_up * globals.youth; }

  bool AreSound(const Globals& globals) const {
    return std::isfinite(globals.bias_z) && std::isfinite(globals.bias_root) &&
           std::isfinite(globals.bound) && std::isfinite(globals.youth);
  }
  // The bias has no penalties.
  double Intercept(const Globals& globals) const {
    return -alpha * globals.bias_z / (Beta(globals) + globals.bias_root);
  }

  double Weight(const Row& row, const Globals& globals) const { return -alpha * Ratio(row, globals); }

  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.z != 0 || row.root != 0; }

  Step BeginStep(const Globals& /*globals*/, double derivative) const { return {.derivative = derivative}; }

  void Touch(Row& row, double x, const Step& step, Globals& globals) const {
    const double before = Ratio(row, globals);
    Accumulate(step.derivative * x, before, row.z, row.root);
    Count(before, Ratio(row, globals), globals.tally);
  }

  Sparsity SparsityNow(const Globals& globals) const {
    return {.nonzeros = globals.tally.nonzeros, .l1_norm = alpha * globals.tally.ratios.Value()};
  }

  bool EndStep(Globals& globals, const Step& step) const {
    if (has_bias) {
      const double ratio = globals.bias_z / (Beta(globals) + globals.bias_root);
      Accumulate(step.derivative, ratio, globals.bias_z, globals.bias_root);
    }
    ++globals.steps;
    const bool clock_moves = std::has_single_bit(globals.steps) && (significance > 0 || beta_warm_up > 0);
    if (clock_moves) MoveClock(globals);
    const bool rebase_due = clock_moves || Forgets(globals);
    if (rebase_due) globals.tally = {};
    return rebase_due;
  }

  void Rebase(Row& row, Globals& globals) const {
    const double ratio = Ratio(row, globals);
    if (ratio == 0 && Forgets(globals)) row = Row();
    Count(0, ratio, globals.tally);
  }
  bool FinishRebase(Globals& /*globals*/) const { return false; }

  // Steps and powers of two of them as they would have come.
  void Advance(uint64_t steps, Globals& globals) const {
    globals.steps = std::bit_floor(steps);
    if (steps > 0 && (significance > 0 || beta_warm_up > 0)) MoveClock(globals);
    globals.steps = steps;
  }

  // √n as the gradients had it, but no more than leaves the weight significant, twice over; then the z that
  // has this weight.
  void Plant(const Planted& planted, Row& row, Globals& globals) const {
    const double magnitude = std::abs(planted.weight);
    const double damping = Beta(globals) + alpha * l2;
    const double needed = alpha * significance * globals.bound - magnitude;
    row.root = planted.gradient_norm;
    if (needed > 0) row.root = std::min(row.root, magnitude * damping / needed / 2);
    row.z = Unsoft(-planted.weight * (damping + row.root) / alpha, l1);
    Count(0, Ratio(row, globals), globals.tally);
  }

  static void MoveClock(Globals& globals) {
    const auto steps = static_cast<double>(globals.steps);
    globals.bound = globals.steps < 2 ? 0 : std::sqrt(2 * std::log(std::log(2 * steps)));
    globals.youth = 1 / (1 + steps);
  }

  bool Forgets(const Globals& globals) const {
    return forget_every != 0 && globals.steps % forget_every == 0;
  }

  // −w/α
  double Ratio(const Row& row, const Globals& globals) const {
    const double beyond = Soft(row.z, l1);
    const bool counts = std::abs(beyond) > significance * globals.bound * row.root;
    // A wasted division costs less than a missed branch.
    return (counts ? beyond : 0) / (Beta(globals) + alpha * l2 + row.root);
  }

  // Of a ratio before and after a change.
  static void Count(double before, double after, Tally& tally) {
    tally.nonzeros += after != 0 ? 1 : 0;
    tally.nonzeros -= before != 0 ? 1 : 0;
    tally.ratios.Replace(std::min(FixedSum::kLargestTerm, std::abs(before)),
                         std::min(FixedSum::kLargestTerm, std::abs(after)));
  }

  // `ratio` is −w/α, so that −σw is the ratio times what √n grows by.
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
               .help = "damps the learning rates of the first steps"},
    PenaltyOption("l1", "0.0002", "penalty on ‖w‖₁: how sparse the model is"),
    PenaltyOption("l2", "0", "penalty on ‖w‖²/2: how small its weights are"),
    OptionSpec{.name = "significance",
               .default_value = "0.6",
               .min = 0,
               .max = kLargestOption,
               .help = "how much more than chance a feature has to show before it counts; 0 = nothing"},
    OptionSpec{.name = "warm_up",
               .default_value = "25",
               .min = 0,
               .max = kLargestOption,
               .help = "how much the first steps are damped: beta counts times 1 + warm_up/(1 + steps)"},
    kBiasOption,
    OptionSpec{.name = "forget_every",
               .default_value = "0",
               .min = 0,
               .max = 1e15,
               .whole = true,
               .help = "steps after which features of weight 0 are forgotten; 0 = never"},
};
constexpr auto kOptions = WithObjective(kOwnOptions, "0.01");

std::unique_ptr<Learner> Make(const OptionValues& complete) {
  return std::make_unique<RowLearner<FtrlRule>>(kName, FormatOptions(kOptions, complete), FtrlRule(complete));
}

}  // namespace

LearnerSpec Ftrl() {
  return {.name = kName,
          .summary = "follow the regularised leader, a learning rate for each feature",
          .source = "McMahan et al. 2013, Algorithm 1",
          .cost = "O(nnz(x)), a root and three divisions for each feature",
          .options = kOptions,
          .make = Make};
}

}  // namespace thresher::learners

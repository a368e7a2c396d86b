// FTRL-Proximal: McMahan et al., "Ad Click Prediction: a View from the Trenches" (2013), Algorithm 1.
//
// On the touched coordinates, with g = L'(a,y) x_j:
//   σ ← (√(n_j + g²) − √n_j)/α,   z_j ← z_j + g − σ w_j,   n_j ← n_j + g²
// and at any time
//   w_j = 0 if |z_j| ≤ λ1,   else −(z_j − sgn(z_j) λ1)/((β + √n_j)/α + λ2)
//
// Rates are per coordinate, and w_j depends on its own (z_j, n_j) alone: there is nothing to catch up on. But
// a weight of 0 has a state, so its row is live. `forget_every` = F > 0 bounds them: after every F-th step,
// each row whose weight is 0 becomes as never seen.
//
// paper          here
// z_j            Row::z
// n_j            Row::root², kept as a root because a step needs both roots and the square only once
#include <array>
#include <cmath>

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
  struct Globals {
    double bias_z = 0;
    double bias_root = 0;
    uint64_t steps = 0;
  };
  struct Step {
    double derivative = 0;
  };

  explicit FtrlRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        alpha(NumberOption(complete, "alpha")),
        beta(NumberOption(complete, "beta")),
        l1(NumberOption(complete, "l1")),
        damping(beta + alpha * NumberOption(complete, "l2")),
        has_bias(SwitchOption(complete, "bias")),
        forget_every(static_cast<uint64_t>(NumberOption(complete, "forget_every"))) {}

  // The bias has no penalties.
  double Intercept(const Globals& globals) const {
    return -alpha * globals.bias_z / (beta + globals.bias_root);
  }

  double Weight(const Row& row, const Globals& /*globals*/) const {
    return -alpha * Soft(row.z, l1) / (damping + row.root);
  }

  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.z != 0 || row.root != 0; }

  Step BeginStep(const Globals& /*globals*/, double derivative) const { return {.derivative = derivative}; }

  void Touch(Row& row, double x, const Step& step, Globals& /*globals*/) const {
    Accumulate(step.derivative * x, Soft(row.z, l1) / (damping + row.root), row.z, row.root);
  }

  bool EndStep(Globals& globals, const Step& step) const {
    if (has_bias) {
      const double ratio = globals.bias_z / (beta + globals.bias_root);
      Accumulate(step.derivative, ratio, globals.bias_z, globals.bias_root);
    }
    ++globals.steps;
    return forget_every != 0 && globals.steps % forget_every == 0;
  }

  void Rebase(Row& row, const Globals& globals) const {
    if (Weight(row, globals) == 0) row = Row();
  }
  bool FinishRebase(Globals& /*globals*/) const { return false; }

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
  double damping;  // β + αλ2: a learning rate is α/(β + √n), a weight −α·soft(z, λ1)/(β + αλ2 + √n)
  bool has_bias;
  uint64_t forget_every;
};

constexpr double kSmallestRate = 1e-9;

constexpr std::array<OptionSpec, 6> kOwnOptions = {
    OptionSpec{.name = "alpha",
               .default_value = "0.5",
               .min = kSmallestRate,
               .max = kLargestOption,
               .help = "scale of the learning rates α/(β + √n)"},
    OptionSpec{.name = "beta",
               .default_value = "0.006",
               .min = kSmallestRate,
               .max = kLargestOption,
               .help = "damps the learning rates of the first steps"},
    PenaltyOption("l1", "0.002", "penalty on ‖w‖₁: how sparse the model is"),
    PenaltyOption("l2", "0", "penalty on ‖w‖²/2: how small its weights are"),
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
          .cost = "O(nnz(x)), a root and two divisions for each feature",
          .options = kOptions,
          .make = Make};
}

}  // namespace thresher::learners

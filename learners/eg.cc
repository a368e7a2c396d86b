// Exponentiated gradient with weights of either sign, EG±: Kivinen & Warmuth, "Exponentiated Gradient versus
// Gradient Descent for Linear Predictors" (1997); the baseline of Duchi et al. (2008), Eq. 13.
//
// w = w⁺ − w⁻ over d coordinates, with w± ≥ 0 and Σ (w⁺_j + w⁻_j) = z at all times. With the log-ratio
//   r_j ← r_j − η L'(a,y) x_j                      on the touched coordinates, 0 before the first touch
//   w±_j = z e^(±r_j)/(2N),   N = Σ_j cosh r_j     over all d
// so that w_j = z sinh(r_j)/N. Every never-seen coordinate has cosh 0 = 1: N = d + Σ (cosh r_j − 1) over
// rows.
//
// N is stored as N e^-m, and a row stores sinh(r_j) e^-m; the reference m is near log N. The sum is exact
// (fixed_sum.h), so that replacing terms leaves no rounding error behind. When a row exceeds the reference by
// too much, or the sum falls far below it, one pass over the rows finds the largest |r_j|, the next m, and
// another pass recomputes the sum.
#include <algorithm>
#include <array>
#include <cmath>

#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/specs.h"
#include "learners/sums/fixed_sum.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kEgName = "eg";

struct EgRule {
  struct Row {
    Counts counts;
    double log_ratio = 0;  // r
    double share = 0;      // sinh(r) e^-m
  };
  enum class Pass : uint64_t { kNone, kLargest, kSum };  // what the next pass over the rows computes
  struct Globals {
    FixedSum sum;          // Σ (cosh r_j − 1) e^-m
    double reference = 0;  // m
    double scale = 0;      // z/(N e^-m)
    double bias = 0;
    uint64_t steps = 0;
    Pass pass = Pass::kNone;
    double largest = 0;  // |r| found so far
  };
  struct Step {
    double rate = 0;           // η
    double bias_gradient = 0;  // L', or 0 without a bias
    double gradient = 0;       // η·L'
    double unit = 1;           // e^-m
  };

  explicit EgRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        schedule(ReadSchedule(complete)),
        radius(NumberOption(complete, "radius")),
        dimension(NumberOption(complete, "dimension")),
        has_bias(SwitchOption(complete, "bias")) {}

  bool AreSound(const Globals& globals) const {
    return std::isfinite(globals.reference) && std::isfinite(globals.scale) && std::isfinite(globals.bias) &&
           globals.pass == Pass::kNone && std::isfinite(globals.largest);
  }
  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& globals) const { return globals.scale * row.share; }
  bool IsLive(const Row& row, const Globals& /*globals*/) const { return row.log_ratio != 0; }

  Step BeginStep(const Globals& globals, double derivative) const {
    const double rate = schedule.Rate(globals.steps);
    return {.rate = rate,
            .bias_gradient = has_bias ? derivative : 0,
            .gradient = rate * derivative,
            .unit = std::exp(-globals.reference)};
  }

  void UpdateRow(Row& row, double x, const Step& step, Globals& globals) const {
    const double before = CoshShare(row.share, step.unit);
    row.log_ratio -= step.gradient * x;
    if (std::abs(row.log_ratio) > globals.reference + kHeadroom) globals.pass = Pass::kLargest;
    row.share = SinhShare(row.log_ratio, globals.reference, step.unit);
    globals.sum.Replace(before, CoshShare(row.share, step.unit));
  }

  bool EndStep(Globals& globals, const Step& step) const {
    globals.bias -= step.rate * step.bias_gradient;
    ++globals.steps;
    const double total = Total(globals, step.unit);
    if (total < kVanishing) globals.pass = Pass::kLargest;
    globals.scale = radius / total;
    return globals.pass != Pass::kNone;
  }

  void Rebase(Row& row, Globals& globals) const {
    if (globals.pass == Pass::kLargest) globals.largest = std::max(globals.largest, std::abs(row.log_ratio));
    if (globals.pass != Pass::kSum) return;
    const double unit = std::exp(-globals.reference);
    row.share = SinhShare(row.log_ratio, globals.reference, unit);
    globals.sum.Add(CoshShare(row.share, unit));
  }

  bool FinishRebase(Globals& globals) const {
    const bool again = globals.pass == Pass::kLargest;
    if (again) {
      globals.reference = globals.largest;
      globals.largest = 0;
      globals.sum = {};
    } else if (globals.pass == Pass::kSum) {
      globals.scale = radius / Total(globals, std::exp(-globals.reference));
    }
    globals.pass = again ? Pass::kSum : Pass::kNone;
    return again;
  }

  // N e^-m
  double Total(const Globals& globals, double unit) const { return globals.sum.Value() + dimension * unit; }

  static double SinhShare(double r, double reference, double unit) {
    const double size = std::abs(r);
    if (size < 1) return std::sinh(r) * unit;
    const double above = std::exp(std::min(size - reference, kHeadroom));
    return std::copysign((above - std::exp(-size - reference)) / 2, r);
  }

  // (cosh r − 1) e^-m from sinh(r) e^-m; never above it.
  static double CoshShare(double sinh_share, double unit) {
    const double size = std::abs(sinh_share);
    if (size < 0x1p-80) return 0;
    return size * size / (std::sqrt(size * size + unit * unit) + unit);
  }

  static constexpr double kHeadroom = 11;  // e^11 < FixedSum::kLargestTerm
  static constexpr double kVanishing = 0x1p-16;

  Objective objective;
  Schedule schedule;
  double radius;
  double dimension;
  bool has_bias;
};

constexpr std::array<OptionSpec, 6> kEgOwnOptions = {
    LearningRateOption("4"),
    kScheduleOption,
    kScheduleHorizonOption,
    OptionSpec{.name = "radius",
               .default_value = "3000000",
               .min = 1e-9,
               .max = 1e9,
               .help = "the fixed sum of all w⁺ and w⁻; ‖w‖₁ stays below it if dimension is at least the "
                       "number of features"},
    kDimensionOption,
    kBiasOption,
};
constexpr auto kEgOptions = WithObjective(kEgOwnOptions, "0.02");

std::unique_ptr<Learner> MakeEg(const OptionValues& complete) {
  return MakeRowLearner<EgRule>(kEgName, kEgOptions, complete);
}

}  // namespace

LearnerSpec Eg() {
  return {.name = kEgName,
          .summary =
              "exponentiated gradient: multiplicative steps, weights of either sign with a fixed sum of "
              "magnitudes",
          .source = "Kivinen & Warmuth 1997; Duchi et al. 2008, Eq. 13",
          .cost = "O(nnz(x)); an exponential and two square roots per feature",
          .options = kEgOptions,
          .make = MakeEg};
}

}  // namespace thresher::learners

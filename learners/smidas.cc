// SMIDAS, stochastic mirror descent made sparse: Shalev-Shwartz & Tewari, "Stochastic Methods for ℓ1
// Regularized Loss Minimization" (2009), Algorithm 3.
//
// On the touched coordinates     θ_j ← θ_j − η L'(a,y) x_j
// then on all of them            θ_j ← soft(θ_j, ηλ)
// and at any time                w_j = sgn(θ_j) |θ_j|^(p−1)/‖θ‖_p^(p−2),   p = 2 ln d
//
// θ is updated lazily, as weights are elsewhere (shrinkage.h), but the shrinkage of every coordinate changes
// the norm that all weights share. `norm_every` selects one of two ways to compute it:
//
// exact (0): the magnitudes of all live rows are kept (magnitudes.h). Each step sums (|θ_j|/max|θ|)^p over
// those large enough to matter.
//
// tracked (n > 0): the norm follows the touched coordinates exactly and the shrinkage of the others to first
// order (tracked_norm.h). After every n steps, and when shrinkage has reduced it by more than 1/64, a pass
// over the rows recomputes it.
//
// paper          here
// θ              Shrinkage::Weight(Row::u)
// λ              l1
// d              dimension
#include <algorithm>
#include <array>
#include <cmath>

#include "learners/magnitudes/magnitudes.h"
#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/shrinkage/shrinkage.h"
#include "learners/shrinkage/tracked_norm.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kSmidasName = "smidas";

struct SmidasRule {
  struct Row {
    Counts counts;
    double u = 0;  // θ, as Shrinkage stores it
  };
  enum class Pass : uint64_t { kNone, kLargest, kSum };  // what the next pass over the rows computes
  struct Globals {
    Shrinkage shrinkage;
    double norm = 0;  // ‖θ‖_p
    double bias = 0;
    TrackedNorm tracked;
    uint64_t tracked_since = 0;  // step
    Pass pass = Pass::kNone;
    double largest = 0;  // |θ| found so far
  };
  struct Step {
    double rate = 0;             // η
    double bias_gradient = 0;    // L', or 0 without a bias
    double scaled_gradient = 0;  // η·L'/s
  };
  using Derived = Magnitudes;

  explicit SmidasRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        schedule(ReadSchedule(complete)),
        l1(NumberOption(complete, "l1")),
        p(2 * std::log(NumberOption(complete, "dimension"))),
        norm_every(static_cast<uint64_t>(NumberOption(complete, "norm_every"))),
        has_bias(SwitchOption(complete, "bias")) {}

  bool AreSound(const Globals& globals) const {
    const auto finite = [](auto... values) { return (std::isfinite(values) && ...); };
    return globals.shrinkage.IsSound() && globals.pass == Pass::kNone &&
           finite(globals.norm, globals.bias, globals.tracked.unit, globals.tracked.origin, globals.largest);
  }
  double Intercept(const Globals& globals) const { return globals.bias; }
  // |θ_j| ≤ ‖θ‖_p, so |w_j| ≤ |θ_j|: nothing overflows. The clamp at 1 keeps a tracked norm that is too small
  // from inflating a weight.
  double Weight(const Row& row, const Globals& globals) const {
    const double theta = globals.shrinkage.Weight(row.u);
    return theta == 0 ? 0 : theta * std::pow(std::min(1.0, std::abs(theta) / globals.norm), p - 2);
  }
  bool IsLive(const Row& row, const Globals& globals) const { return globals.shrinkage.IsLive(row.u); }

  std::unique_ptr<Magnitudes> NewDerived(const Globals& /*globals*/) const {
    return norm_every == 0 ? std::make_unique<Magnitudes>(/*is_tree=*/false) : nullptr;
  }
  void AddRow(const Row& row, const Globals& globals, Magnitudes& all) const {
    if (IsLive(row, globals)) all.Add(std::abs(row.u));
  }
  void FinishDerived(Magnitudes& all) const { all.Build(); }

  Step BeginStep(const Globals& globals, double derivative) const {
    const double rate = schedule.Rate(globals.shrinkage.steps);
    return {.rate = rate,
            .bias_gradient = has_bias ? derivative : 0,
            .scaled_gradient = rate * derivative / globals.shrinkage.scale};
  }

  void UpdateRow(Row& row, double x, const Step& step, Globals& globals, Magnitudes* all) const {
    if (IsLive(row, globals)) {
      const double old = std::abs(row.u);
      all != nullptr ? all->Remove(old) : globals.tracked.Remove(old - globals.tracked.origin, p);
    }
    row.u = globals.shrinkage.Moved(row.u, -step.scaled_gradient * x);
    globals.shrinkage.Include(row.u);
    if (IsLive(row, globals)) {
      const double now = std::abs(row.u);
      all != nullptr ? all->Add(now) : globals.tracked.Add(now - globals.tracked.origin, p);
    }
  }

  bool EndStep(Globals& globals, const Step& step, Magnitudes* all) const {
    globals.bias -= step.rate * step.bias_gradient;
    globals.shrinkage.Subtract(step.rate * l1);
    globals.shrinkage.RescaleIfAllZero(step.rate * l1);
    ++globals.shrinkage.steps;
    if (all != nullptr) {
      globals.norm = globals.shrinkage.scale * ExactNorm(all, globals.shrinkage.shift);
    } else {
      FollowNorm(globals);
    }
    return globals.pass != Pass::kNone || globals.shrinkage.RebaseDue();
  }

  void Rebase(Row& row, Globals& globals) const {
    if (globals.pass == Pass::kSum) {
      if (row.u != 0) globals.tracked.Add(std::abs(row.u), p);
      return;
    }
    if (!IsLive(row, globals)) row = Row();
    row.u = globals.shrinkage.Rebased(row.u);
    globals.largest = std::max(globals.largest, std::abs(row.u));
  }

  bool FinishRebase(Globals& globals) const {
    const bool again = globals.pass == Pass::kLargest;
    if (globals.pass == Pass::kSum) {
      globals.norm = globals.tracked.AtOrigin(p);
    } else {
      globals.tracked.Rescale(globals.shrinkage.shift, globals.shrinkage.scale);
      globals.shrinkage.FinishRebase();
    }
    if (again) {
      globals.tracked = TrackedNorm();
      globals.tracked.unit = globals.largest;
      globals.tracked_since = globals.shrinkage.steps;
    }
    globals.largest = 0;
    globals.pass = again ? Pass::kSum : Pass::kNone;
    return again;
  }

  // ‖θ‖_p in units of the scale.
  double ExactNorm(Magnitudes* all, double shift) const {
    constexpr double kNegligible = 0x1p-80;  // even 2^24 terms of this size do not change the sum
    all->Apply();
    all->DropUpTo(shift);
    double largest = 0;
    double sum = 0;
    all->ForEachDescending([&](double value, int32_t copies) {
      if (largest == 0) largest = value - shift;
      const double power = std::pow((value - shift) / largest, p);
      sum += power * copies;
      return power > kNegligible;
    });
    return largest * std::pow(sum, 1 / p);
  }

  void FollowNorm(Globals& globals) const {
    constexpr double kMostShrinkage = 1.0 / 64;
    const double shift = globals.shrinkage.shift;
    if (globals.shrinkage.largest <= shift) {  // all weights are 0
      globals.tracked = TrackedNorm();
      globals.tracked.origin = shift;
      globals.tracked_since = globals.shrinkage.steps;
    }
    const double at_origin = globals.tracked.AtOrigin(p);
    const double shrinkage = globals.tracked.Shrinkage(shift, p);
    globals.norm = globals.shrinkage.scale * std::max(0.0, at_origin - shrinkage);
    const bool is_old = globals.shrinkage.steps - globals.tracked_since >= norm_every;
    const bool is_due = is_old || shrinkage > kMostShrinkage * at_origin || globals.tracked.NeedsUnit();
    if (globals.tracked.unit != 0 && is_due) globals.pass = Pass::kLargest;
  }

  Objective objective;
  Schedule schedule;
  double l1;
  double p;
  uint64_t norm_every;
  bool has_bias;
};

constexpr std::array<OptionSpec, 7> kSmidasOwnOptions = {
    LearningRateOption("30"),
    kScheduleOption,
    kScheduleHorizonOption,
    PenaltyOption("l1", "1e-05", "penalty on ‖w‖₁; larger values give sparser models"),
    // The paper uses the number of features; on mail a small number works better.
    OptionSpec{.name = "dimension",
               .default_value = "3",
               .min = 3,
               .max = 1e12,
               .whole = true,
               .help = "the norm has p = 2 ln(dimension); the paper uses the number of features"},
    OptionSpec{.name = "norm_every",
               .default_value = "0",
               .min = 0,
               .max = 1e15,
               .whole = true,
               .help = "recompute the norm of θ after every so many steps; 0 = exact at every step"},
    kBiasOption,
};
constexpr auto kSmidasOptions = WithObjective(kSmidasOwnOptions, "0.02");

std::unique_ptr<Learner> MakeSmidas(const OptionValues& complete) {
  return MakeRowLearner<SmidasRule>(kSmidasName, kSmidasOptions, complete);
}

}  // namespace

LearnerSpec Smidas() {
  return {.name = kSmidasName,
          .summary = "mirror descent with p-norms; the dual vector is soft-thresholded",
          .source = "Shalev-Shwartz & Tewari 2009, Algorithm 3",
          .cost = "O(nnz(x) log nnz(w) + weights near the largest); with norm_every above 0 O(nnz(x))",
          .options = kSmidasOptions,
          .make = MakeSmidas,
          .whole_model = "with norm_every=0"};
}

}  // namespace thresher::learners

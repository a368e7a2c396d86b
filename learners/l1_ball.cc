// Projected stochastic gradient descent on the ℓ1-ball: Duchi et al., "Efficient Projections onto the ℓ1-Ball
// for Learning in High Dimensions" (2008), Section 6.
//
// On the touched coordinates     w_j ← w_j − η L'(a,y) x_j
// then on all of them            w ← soft(w, θ), the nearest w with ‖w‖₁ ≤ z       (ball_threshold.h)
//
// The projections add up to one shift Θ that all coordinates share. A row stores u_j: |w_j| + Θ as of its
// last touch, with the sign of w_j. A coordinate with |u_j| ≤ Θ has weight 0. The magnitudes |u_j| of all
// live rows are kept in a tree or, where an example touches a large share of them, in an array
// (magnitudes.h); from them follows the next Θ.
//
// paper          here
// z              radius
// v_i + Θ_t      |Row::u|
// Θ_t            Globals::shift
#include <algorithm>
#include <array>
#include <cmath>

#include "learners/magnitudes/magnitudes.h"
#include "learners/rule/gradient_options.h"
#include "learners/rule/row_learner.h"
#include "learners/shrinkage/soft_threshold.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kL1BallName = "l1-ball";

struct L1BallRule {
  struct Row {
    Counts counts;
    double u = 0;
  };
  struct Globals {
    double shift = 0;
    double next_shift = 0;  // after the rebase that is due
    double bias = 0;
    uint64_t steps = 0;
    std::array<uint64_t, 2> unused = {};  // keeps the size of globals that are stored already
    uint64_t is_tree = 0;                 // the form of the magnitudes
  };
  struct Step {
    double rate = 0;           // η
    double bias_gradient = 0;  // L', or 0 without a bias
    double gradient = 0;       // η·L'
  };
  using Derived = Magnitudes;

  explicit L1BallRule(const OptionValues& complete)
      : objective(ReadObjective(complete)),
        schedule(ReadSchedule(complete)),
        radius(NumberOption(complete, "radius")),
        has_bias(SwitchOption(complete, "bias")) {}

  double Intercept(const Globals& globals) const { return globals.bias; }
  double Weight(const Row& row, const Globals& globals) const { return SoftThreshold(row.u, globals.shift); }
  bool IsLive(const Row& row, const Globals& globals) const { return std::abs(row.u) > globals.shift; }

  std::unique_ptr<Magnitudes> NewDerived(const Globals& globals) const {
    return std::make_unique<Magnitudes>(globals.is_tree != 0);
  }
  void AddRow(const Row& row, const Globals& globals, Magnitudes& all) const {
    if (IsLive(row, globals)) all.Add(std::abs(row.u));
  }
  void FinishDerived(Magnitudes& all) const { all.Build(); }

  Step BeginStep(const Globals& globals, double derivative) const {
    const double rate = schedule.Rate(globals.steps);
    return {.rate = rate, .bias_gradient = has_bias ? derivative : 0, .gradient = rate * derivative};
  }

  void UpdateRow(Row& row, double x, const Step& step, Globals& globals, Magnitudes* all) const {
    if (IsLive(row, globals)) all->Remove(std::abs(row.u));
    row.u = InverseSoftThreshold(SoftThreshold(row.u, globals.shift) - step.gradient * x, globals.shift);
    if (IsLive(row, globals)) all->Add(std::abs(row.u));
  }

  bool EndStep(Globals& globals, const Step& step, Magnitudes* all) const {
    globals.bias -= step.rate * step.bias_gradient;
    ++globals.steps;
    all->Apply();
    globals.is_tree = all->is_tree() ? 1 : 0;
    const double before = globals.shift;
    globals.shift = all->Threshold(before, radius);
    const bool rebase_due = RebaseDue(globals.shift, *all);
    if (rebase_due) {
      ProjectRebased(globals, before, *all);
    } else {
      all->DropUpTo(globals.shift);
    }
    return rebase_due;
  }

  // Whether the number of magnitudes above the shift, times the shift, is large against the radius. If none
  // is above it, the number is taken as 1: after a step of some 2^53 times the radius, the shift is the
  // largest magnitude, rounded.
  bool RebaseDue(double shift, const Magnitudes& all) const {
    const auto is_large = [&](uint64_t count) {
      return static_cast<double>(std::max<uint64_t>(count, 1)) * shift > kCancelling * radius;
    };
    if (!is_large(all.count())) return false;
    uint64_t left = 0;
    all.ForEachDescending([&](double value, int32_t copies) {
      if (value > shift) left += static_cast<uint64_t>(copies);
      return value > shift && !is_large(left);
    });
    return is_large(left);
  }

  void Rebase(Row& row, const Globals& globals) const {
    if (!IsLive(row, globals)) row = Row();
    row.u = SoftThreshold(row.u, globals.shift);
  }
  bool FinishRebase(Globals& globals) const {
    globals.shift = globals.next_shift;
    globals.next_shift = 0;
    return false;
  }

  // Where one step makes the shift large against the radius, the shift and the sums it was found from are
  // rounded to more than the radius allows. But θ is neither below the shift before the step nor below the
  // largest magnitude minus the radius. Subtracting that first leaves exact numbers, which are projected
  // again. None is left where the radius is lost in the last digit of that magnitude.
  void ProjectRebased(Globals& globals, double before, const Magnitudes& all) const {
    globals.shift = before;
    std::vector<MagnitudeRun> left;
    all.ForEachDescending([&](double value, int32_t copies) {
      if (left.empty()) globals.shift = std::max(before, LowerBoundOfShift(value));
      if (value <= globals.shift) return false;
      left.push_back({.value = value - globals.shift, .copies = copies});
      return true;
    });
    MagnitudeRuns rebased;
    rebased.Assign(left);
    globals.next_shift = rebased.Threshold(0, radius);
  }

  // largest − radius, rounded down.
  double LowerBoundOfShift(double largest) const {
    const double bound = largest - radius;
    const double above = largest - bound;
    return above > 0 && above < radius ? std::nextafter(bound, 0) : bound;
  }

  // The rounding error of Θ in n weights is below 2^-53·nΘ; this keeps it below 1e-13·z.
  static constexpr double kCancelling = 256;

  Objective objective;
  Schedule schedule;
  double radius;
  bool has_bias;
};

constexpr std::array<OptionSpec, 5> kL1BallOwnOptions = {
    LearningRateOption("8"),
    kScheduleOption,
    kScheduleHorizonOption,
    OptionSpec{.name = "radius",
               .default_value = "10000",
               .min = 1e-9,
               .max = kLargestOption,
               .help = "upper bound of ‖w‖₁; smaller values give sparser models"},
    kBiasOption,
};
constexpr auto kL1BallOptions = WithObjective(kL1BallOwnOptions, "0.02");

std::unique_ptr<Learner> MakeL1Ball(const OptionValues& complete) {
  return MakeRowLearner<L1BallRule>(kL1BallName, kL1BallOptions, complete);
}

}  // namespace

LearnerSpec L1Ball() {
  return {.name = kL1BallName,
          .summary = "gradient descent; each step is projected onto the ball ‖w‖₁ ≤ radius",
          .source = "Duchi, Shalev-Shwartz, Singer & Chandra 2008, Fig. 3",
          .cost = "O(nnz(x) log nnz(w)), or O(nnz(w)) where that is less",
          .options = kL1BallOptions,
          .make = MakeL1Ball,
          .whole_model = "always"};
}

}  // namespace thresher::learners

// Finds the best of the step sizes …, 0.1, 0.3, 1, 3, 10, 30, …. Tries all sizes of a given range, then goes
// on beyond the range as long as the best size is at an end.
//
// Used by the experiments with a step size of which the paper says only that it was tuned. Thread-safety:
// pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "learners/rule/schedule.h"

namespace thresher::reproduction {

// The k-th step size; 1 for k = 0.
double StepSize(int k);

// The k of the step size nearest to `size`.
int NumberOfStepSize(double size);

struct StepSizes {
  double first = 0;
  double last = 0;
};

template <class Result>
struct Tuned {
  Result result;
  double step_size = 0;
};

// Returns the result of run(step size) with the least loss(result). A loss that is not finite counts as
// infinite; if all are infinite, the smallest step size counts as best.
template <class Run, class Loss>
auto BestOfStepSizes(const StepSizes& sizes, Run run, Loss loss) {
  constexpr int kMost = 18;  // 1e-9 … 1e9
  std::map<int, double> tried;
  Tuned<decltype(run(0.0))> best;
  int best_k = 0;
  const auto attempt = [&](int k) {
    auto result = run(StepSize(k));
    double value = loss(result);
    if (!std::isfinite(value)) value = std::numeric_limits<double>::infinity();
    if (tried.empty() || value < tried[best_k] || (std::isinf(tried[best_k]) && k < best_k)) {
      best = {std::move(result), StepSize(k)};
      best_k = k;
    }
    tried[k] = value;
  };
  for (int k = NumberOfStepSize(sizes.first); k <= NumberOfStepSize(sizes.last); ++k) attempt(k);
  while (true) {
    const int least = tried.begin()->first;
    const int most = tried.rbegin()->first;
    if (best_k == least && least > -kMost) {
      attempt(least - 1);
    } else if (best_k == most && most < kMost) {
      attempt(most + 1);
    } else {
      return best;
    }
  }
}

// a in η_t = η0/t^a.
inline double ExponentOf(learners::Schedule::Kind kind) {
  if (kind == learners::Schedule::Kind::kConstant) return 0;
  return kind == learners::Schedule::Kind::kInverse ? 1 : 0.5;
}

// The value of a learner's option `schedule`; with `schedule_horizon` 1 its rates are those above.
inline std::string NameOf(learners::Schedule::Kind kind) {
  if (kind == learners::Schedule::Kind::kConstant) return "constant";
  return kind == learners::Schedule::Kind::kInverse ? "inverse" : "inverse-sqrt";
}

template <class Result>
struct TunedSchedule {
  Tuned<Result> tuned;
  learners::Schedule::Kind kind = {};
};

// The result of run(schedule) with the least loss(result) over all schedules and step sizes. `sizes` are
// those to try first for steps that fall; constant steps start with smaller ones. Each search begins with
// steps that are rather too small: far too large ones may all be equally bad, and a search would not leave
// them.
template <class Run, class Loss>
auto BestOfSchedules(const StepSizes& sizes, Run run, Loss loss) {
  using learners::Schedule;
  constexpr double kApart = 30;
  TunedSchedule<decltype(run(Schedule()))> best;
  bool is_first = true;
  for (const auto kind :
       {Schedule::Kind::kInverseSqrt, Schedule::Kind::kConstant, Schedule::Kind::kInverse}) {
    const double scale = kind == Schedule::Kind::kConstant ? 1 / kApart : 1;
    auto tuned = BestOfStepSizes(
        {scale * sizes.first, scale * sizes.last},
        [&](double size) { return run(Schedule{.kind = kind, .first = size}); }, loss);
    if (is_first || loss(tuned.result) < loss(best.tuned.result)) best = {std::move(tuned), kind};
    is_first = false;
  }
  return best;
}

}  // namespace thresher::reproduction

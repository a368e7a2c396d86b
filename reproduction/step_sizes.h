// Finds the best of the step sizes …, 0.1, 0.3, 1, 3, 10, 30, …. Tries all sizes of a given range, then goes
// on beyond the range as long as the best size is at an end.
//
// Used by the experiments with a step size of which the paper says only that it was tuned. Thread-safety:
// pure functions, but for StepSearch, which serves one thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// Which step sizes to try, if there are several losses and each has a best size of its own. A loss that is
// not finite counts as infinite; if all are infinite, the smallest step size counts as best.
class StepSearch {
 public:
  StepSearch(const StepSizes& sizes, size_t losses);

  // The k of the size to try next; nothing if no loss has its best size at an end.
  std::optional<int> Next() const;
  void Add(int k, const std::vector<double>& losses);
  // REQUIRES: a size was tried.
  int Best(size_t loss) const { return best_[loss].k; }

 private:
  struct Least {
    int k = 0;
    double loss = 0;
  };

  int first_;
  int last_;
  int least_ = 0;
  int most_ = -1;  // tried: least_ … most_
  std::vector<Least> best_;
};

template <class Result>
struct Tuned {
  Result result;
  double step_size = 0;
};

// Returns the result of run(step size) with the least loss(result).
template <class Run, class Loss>
auto BestOfStepSizes(const StepSizes& sizes, Run run, Loss loss) {
  StepSearch search(sizes, 1);
  Tuned<decltype(run(0.0))> best;
  while (const std::optional<int> k = search.Next()) {
    auto result = run(StepSize(*k));
    search.Add(*k, {loss(result)});
    if (search.Best(0) == *k) best = {std::move(result), StepSize(*k)};
  }
  return best;
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

// All of them, in the order in which they are tried.
inline constexpr std::array<learners::Schedule::Kind, 3> kAllSchedules = {
    learners::Schedule::Kind::kInverseSqrt, learners::Schedule::Kind::kConstant,
    learners::Schedule::Kind::kInverse};

// The step sizes to try first, if `sizes` are those for steps that fall: constant steps start with smaller
// ones. Each search begins with steps that are rather too small: far too large ones may all be equally bad,
// and a search would not leave them.
inline StepSizes SizesFor(learners::Schedule::Kind kind, const StepSizes& sizes) {
  const double scale = kind == learners::Schedule::Kind::kConstant ? 1.0 / 30 : 1;
  return {scale * sizes.first, scale * sizes.last};
}

// The result of run(schedule) with the least loss(result) over all schedules and step sizes. `sizes` are
// those to try first for steps that fall.
template <class Run, class Loss>
auto BestOfSchedules(const StepSizes& sizes, Run run, Loss loss) {
  using learners::Schedule;
  TunedSchedule<decltype(run(Schedule()))> best;
  bool is_first = true;
  for (const Schedule::Kind kind : kAllSchedules) {
    auto tuned = BestOfStepSizes(
        SizesFor(kind, sizes), [&](double size) { return run(Schedule{.kind = kind, .first = size}); }, loss);
    if (is_first || loss(tuned.result) < loss(best.tuned.result)) best = {std::move(tuned), kind};
    is_first = false;
  }
  return best;
}

}  // namespace thresher::reproduction

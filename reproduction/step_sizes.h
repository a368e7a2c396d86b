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
#include <utility>

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

}  // namespace thresher::reproduction

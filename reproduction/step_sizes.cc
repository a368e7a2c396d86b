#include "reproduction/step_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace thresher::reproduction {

double StepSize(int k) {
  const int exponent = (k - (k < 0 ? 1 : 0)) / 2;
  // Parsed from its decimal text, so that it prints as the same text.
  return std::strtod(fmt::format("{}e{}", k % 2 == 0 ? 1 : 3, exponent).c_str(), nullptr);
}

int NumberOfStepSize(double size) { return static_cast<int>(std::lround(2 * std::log10(size))); }

StepSearch::StepSearch(const StepSizes& sizes, size_t losses)
    : first_(NumberOfStepSize(sizes.first)), last_(NumberOfStepSize(sizes.last)), best_(losses) {}

std::optional<int> StepSearch::Next() const {
  constexpr int kMost = 18;  // 1e-9 … 1e9
  if (most_ < least_) return first_;
  if (most_ < last_) return most_ + 1;
  const auto is_best = [&](int k) { return std::ranges::find(best_, k, &Least::k) != best_.end(); };
  if (least_ > -kMost && is_best(least_)) return least_ - 1;
  if (most_ < kMost && is_best(most_)) return most_ + 1;
  return std::nullopt;
}

void StepSearch::Add(int k, const std::vector<double>& losses) {
  const bool is_first = most_ < least_;
  for (size_t i = 0; i < losses.size(); ++i) {
    const double loss = std::isfinite(losses[i]) ? losses[i] : std::numeric_limits<double>::infinity();
    Least& best = best_[i];
    if (is_first || loss < best.loss || (std::isinf(best.loss) && k < best.k)) best = {k, loss};
  }
  least_ = is_first ? k : std::min(least_, k);
  most_ = is_first ? k : std::max(most_, k);
}

}  // namespace thresher::reproduction

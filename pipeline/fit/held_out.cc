#include "pipeline/fit/held_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thresher::pipeline {
namespace {

size_t LaterOf(size_t count, double share) {
  if (share == 0) return 0;
  return std::max<size_t>(1, static_cast<size_t>(std::floor(static_cast<double>(count) * share)));
}

}  // namespace

Result<HeldOut> HoldOut(std::span<const float> targets, double share) {
  size_t spam = 0;
  for (const float target : targets) {
    if (std::abs(target) != 1)
      return tl::unexpected(Error{kData, fmt::format("expected labels 1 and -1, found {}", target)});
    spam += target > 0 ? 1 : 0;
  }
  const size_t ham = targets.size() - spam;
  const size_t least = share > 0 ? 2 : 1;
  if (std::min(ham, spam) < least)
    return tl::unexpected(
        Error{kData, fmt::format("the examples are {} ham and {} spam; expected at least {} of each class",
                                 ham, spam, least)});
  const size_t earlier_ham = ham - LaterOf(ham, share);
  const size_t earlier_spam = spam - LaterOf(spam, share);
  HeldOut split;
  size_t ham_so_far = 0;
  size_t spam_so_far = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    const bool is_earlier = targets[i] > 0 ? spam_so_far++ < earlier_spam : ham_so_far++ < earlier_ham;
    (is_earlier ? split.earlier : split.later).push_back(i);
  }
  return split;
}

}  // namespace thresher::pipeline

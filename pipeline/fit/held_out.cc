#include "pipeline/fit/held_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pipeline/input/share.h"

namespace thresher::pipeline {
namespace {

size_t LaterOf(size_t count, double share) {
  if (share == 0) return 0;
  return std::max<size_t>(1, WholeShare(count, share));
}

}  // namespace

Result<HeldOut> HoldOut(std::span<const float> targets, double share, const std::vector<bool>& no_test) {
  const auto is_test = [&](size_t i) { return no_test.empty() || !no_test[i]; };
  size_t spam = 0;
  size_t ham = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (std::abs(targets[i]) != 1)
      return tl::unexpected(Error{kData, fmt::format("expected labels 1 and -1, found {}", targets[i])});
    if (is_test(i)) ++(targets[i] > 0 ? spam : ham);
  }
  const size_t least = share > 0 ? 2 : 1;
  if (std::min(ham, spam) < least)
    return tl::unexpected(
        Error{kData,
              fmt::format(
                  "the examples{} are {} ham and {} spam; expected at least {} of each class",
                  std::ranges::count(no_test, true) == 0 ? "" : " that were not labelled by the model itself",
                  ham, spam, least)});
  const size_t earlier_ham = ham - LaterOf(ham, share);
  const size_t earlier_spam = spam - LaterOf(spam, share);
  HeldOut split;
  size_t ham_so_far = 0;
  size_t spam_so_far = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!is_test(i)) {
      if (split.later.empty()) split.earlier.push_back(i);
      continue;
    }
    const bool is_earlier = targets[i] > 0 ? spam_so_far++ < earlier_spam : ham_so_far++ < earlier_ham;
    (is_earlier ? split.earlier : split.later).push_back(i);
  }
  return split;
}

}  // namespace thresher::pipeline

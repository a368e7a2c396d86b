// The comparison of two filters on the same messages: differences, their intervals and McNemar's test.
//
// Called by the eval command. Definitions and sources in docs/evaluation.md.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "eval/outcome.h"
#include "eval/ranking.h"
#include "eval/roc.h"

namespace thresher::eval {

// A figure of both filters, and the second minus the first with its 95 % interval. IntervalOptions choose the
// paired bootstrap or the normal interval from the influence of each message. Neither says anything of a
// class of one message, or where all messages changed alike: there is no interval then, unless nothing
// changed.
struct Difference {
  struct Interval {
    double low = 0;
    double high = 0;
  };
  double first = 0;
  double second = 0;
  std::optional<Interval> interval;

  double value() const { return second - first; }
};

// McNemar's test of the messages that exactly one filter got wrong: could their split be chance?
struct Discordance {
  uint64_t only_first_wrong = 0;
  uint64_t only_second_wrong = 0;
  double p_value = 1;  // exact, two-sided
};

// In percent. A figure is nothing if a class that it needs has no message.
struct Comparison {
  uint64_t messages = 0;
  std::optional<Difference> roc_area_above;
  std::optional<Difference> ham_misclassification;
  std::optional<Difference> spam_misclassification;
  std::optional<Difference> logistic_average;
  Discordance ham;
  Discordance spam;
  Discordance all;
};

// REQUIRES: both spans have the same length and the same judgements in the same order.
Comparison Compare(std::span<const Outcome> first, std::span<const Outcome> second, Ties ties = Ties::kHalf,
                   const IntervalOptions& options = {});

}  // namespace thresher::eval

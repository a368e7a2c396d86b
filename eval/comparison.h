// Two filters on the same messages: which is better, by how much, and whether it could be chance.
//
// Called by the pipeline's eval command. Definitions and sources in docs/evaluation.md.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eval/outcome.h"

namespace thresher::eval {

// The messages that two result files have in common, and what stands in the way of comparing the rest.
struct Pairing {
  struct Pair {
    uint32_t first;  // index into the first file's outcomes
    uint32_t second;
  };
  std::vector<Pair> pairs;  // in the order of the first file
  uint64_t only_in_first = 0;
  uint64_t only_in_second = 0;
  uint64_t repeated = 0;            // lines whose path an earlier line of the same file has; that one counts
  uint64_t judged_differently = 0;  // left out of pairs
};

// Messages are the same if their paths are. REQUIRES: fewer than 2^32 lines each.
Pairing PairUp(const Results& first, const Results& second);

// A figure of either filter, and of the second less the first, with the 95 % interval of the paired
// bootstrap.
struct Difference {
  double first = 0;
  double second = 0;
  double low = 0;
  double high = 0;

  double value() const { return second - first; }
};

// McNemar's test: of the messages that one filter got wrong and the other right, is the split chance?
struct Discordance {
  uint64_t only_first_wrong = 0;
  uint64_t only_second_wrong = 0;
  double p_value = 1;  // exact, two-sided
};

// All in percent. A figure that a missing class leaves undefined is nothing.
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
Comparison Compare(std::span<const Outcome> first, std::span<const Outcome> second, size_t resamples);

}  // namespace thresher::eval

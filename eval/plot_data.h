// What plots are drawn from, thinned to what an eye can tell apart: a file of ten million lines gives as much
// as one of ten thousand.
//
// Called by html_report. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/outcome.h"
#include "eval/ranking.h"

namespace thresher::eval {

// A threshold: so many ham called spam, so many spam called ham.
struct RocPoint {
  uint64_t ham_lost = 0;
  uint64_t spam_seen = 0;
};

// From calling nothing spam to calling everything spam. On logarithmic axes, where no message counts as half
// a one, neighbours are a two-hundredth of a decade apart or more. REQUIRES: ranking has Ties::kHalf.
std::vector<RocPoint> RocCurve(const Ranking& ranking);

// How often scores of either class fall into bins of equal width. The outermost thousandths of the scores,
// which may be far out, are in the bins at the ends.
struct ScoreHistogram {
  double low = 0;  // of the first bin
  double width = 0;
  std::vector<uint64_t> ham;
  std::vector<uint64_t> spam;
};

inline constexpr size_t kHistogramBins = 80;

ScoreHistogram HistogramOf(std::span<const Outcome> outcomes);

}  // namespace thresher::eval

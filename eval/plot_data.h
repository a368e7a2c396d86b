// The data of the report's plots, reduced to what is visible: a file of ten million lines gives no more
// points than one of ten thousand.
//
// Called by html_report and the replay command. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eval/outcome.h"
#include "eval/ranking.h"

namespace thresher::eval {

// The errors at one threshold.
struct RocPoint {
  uint64_t ham_lost = 0;   // ham called spam
  uint64_t spam_seen = 0;  // spam called ham
};

// From the threshold that calls nothing spam to the one that calls everything spam. Neighbouring points are
// at least 1/200 of a decade apart on logarithmic axes, on which 0 is drawn as ½. REQUIRES: ranking has
// Ties::kHalf.
std::vector<RocPoint> RocCurve(const Ranking& ranking);

// How many scores of each class fall into bins of equal width. The lowest and the highest 0.1 % of the scores
// are counted in the first and the last bin: outliers would otherwise determine the width.
struct ScoreHistogram {
  double low = 0;  // of the first bin
  double width = 0;
  std::vector<uint64_t> ham;
  std::vector<uint64_t> spam;
};

inline constexpr size_t kHistogramBins = 80;

ScoreHistogram HistogramOf(std::span<const Outcome> outcomes);

// The score that has `probability` at the end of the stream, on the line that fits the log-odds of the last
// messages best. A filter may recalibrate its probabilities as it learns, so earlier messages may have had
// another score there. Nothing where no such line with a positive slope exists.
std::optional<double> ScoreAt(double probability, std::span<const Outcome> outcomes);

}  // namespace thresher::eval

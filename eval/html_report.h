// The figures and plots of result files as one HTML file that a browser opens from disk.
//
// Called by the commands eval and replay. The page and its scripts are in eval/html/; Chart.js, which draws
// the plots, comes from the system's package at build time. The file contains all of them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "eval/plot_data.h"
#include "eval/report.h"
#include "eval/worst_errors.h"

namespace thresher::eval {

// The size of a model after a number of examples.
struct ModelSize {
  uint64_t examples = 0;
  uint64_t nonzeros = 0;  // non-zero weights
};

// A threshold, drawn as a line into the histogram of the scores.
struct ThresholdMark {
  std::string label;
  double score = 0;
};

inline constexpr size_t kMostCurvePoints = 500;
inline constexpr size_t kMostGroups = 200;

// What the report shows of one filter.
struct HtmlRun {
  std::string name;
  std::string about;  // the learner and its options; may be empty
  Summary summary;    // at most kMostCurvePoints and kMostGroups
  uint64_t groups_left_out = 0;
  std::vector<RocPoint> roc;
  ScoreHistogram histogram;
  std::vector<ModelSize> sizes = {};  // empty if unknown
  std::vector<ThresholdMark> thresholds = {};
  WorstErrors worst = {};
};

// Whether messages stand in the order in which they came.
enum class MessageOrder : uint8_t { kOfTime, kNone };

// The run without what is not in its outcomes: sizes, thresholds, paths of messages. `summary` is that of
// `outcomes`; without a learning curve it gets one if they have an order.
HtmlRun DrawRun(std::string name, Summary summary, std::span<const Outcome> outcomes,
                MessageOrder order = MessageOrder::kOfTime);

struct HtmlComparison {
  std::string first;
  std::string second;
  Comparison comparison;
};

// False if this program was built without Chart.js (THRESHER_HTML=OFF).
bool CanFormatHtml();

// REQUIRES: CanFormatHtml().
std::string FormatHtml(std::span<const HtmlRun> runs, std::span<const HtmlComparison> comparisons);

}  // namespace thresher::eval

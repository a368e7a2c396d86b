// Figures as one HTML file that opens from disk, with plots to look into: ROC near the corner, learning
// curves, reliability, scores, sparsity.
//
// Called by the pipeline's eval and replay commands. The page and its script are in eval/html/, the library
// that draws comes from the system's package at build time; all is in the file. Thread-safety: pure
// functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/outcome.h"
#include "eval/plot_data.h"
#include "eval/report.h"

namespace thresher::eval {

// How large a model was after so many examples.
struct ModelSize {
  uint64_t examples = 0;
  uint64_t nonzeros = 0;  // weights
};

inline constexpr size_t kMostCurvePoints = 500;
inline constexpr size_t kMostGroups = 200;

// One filter's results, as much of them as is drawn.
struct HtmlRun {
  std::string name;
  std::string about;  // the learner and its options; may be empty
  Summary summary;    // with at most kMostCurvePoints and kMostGroups
  uint64_t groups_left_out = 0;
  std::vector<RocPoint> roc;
  ScoreHistogram histogram;
  std::vector<ModelSize> sizes;  // empty where nobody knows
};

// Of `outcomes`, of which `summary` is. A summary without a curve gets one.
HtmlRun DrawRun(std::string name, Summary summary, std::span<const Outcome> outcomes);

struct HtmlComparison {
  std::string first;
  std::string second;
  Comparison comparison;
};

// False where this program was built without the library that draws (THRESHER_HTML=OFF).
bool CanFormatHtml();

// REQUIRES: CanFormatHtml().
std::string FormatHtml(std::span<const HtmlRun> runs, std::span<const HtmlComparison> comparisons);

}  // namespace thresher::eval

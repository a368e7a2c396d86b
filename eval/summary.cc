#include <algorithm>
#include <utility>

#include "eval/report.h"

namespace thresher::eval {

Summary Summarise(std::vector<NamedTable> tables, std::span<const Outcome> outcomes) {
  Summary summary;
  summary.tables = std::move(tables);
  summary.messages = outcomes.size();
  summary.ham = static_cast<uint64_t>(std::count_if(
      outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return !outcome.judged_spam; }));
  summary.roc_area_above = RocAreaAboveWithInterval(outcomes);
  summary.probabilities = JudgeProbabilities(outcomes);
  for (const double hm_percent : {0.01, 0.1, 1.0}) {
    summary.operating_points.push_back(
        {hm_percent, HamAllowed(summary.ham, hm_percent), SpamMisclassificationAt(outcomes, hm_percent)});
  }
  return summary;
}

}  // namespace thresher::eval

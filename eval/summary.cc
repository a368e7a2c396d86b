#include <utility>

#include "eval/report.h"

namespace thresher::eval {

Summary Summarise(std::vector<NamedTable> tables, std::span<const Outcome> outcomes,
                  const SummaryOptions& options) {
  const Ranking ranking = Rank(outcomes);
  Summary summary;
  summary.options = options;
  summary.tables = std::move(tables);
  summary.messages = outcomes.size();
  summary.ham = ranking.ham;
  summary.roc_area_above =
      RocAreaAbove(options.ties == Ties::kHalf ? ranking : Rank(outcomes, options.ties), options.interval);
  summary.probabilities = JudgeProbabilities(outcomes);
  for (const double hm_percent : {0.01, 0.1, 1.0}) {
    summary.operating_points.push_back(
        {hm_percent, HamAllowed(summary.ham, hm_percent), SpamMisclassificationAt(ranking, hm_percent)});
  }
  if (options.ham_cost) summary.cheapest = CheapestThreshold(ranking, *options.ham_cost);
  return summary;
}

}  // namespace thresher::eval

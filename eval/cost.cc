#include "eval/cost.h"

namespace thresher::eval {

std::optional<double> ExpectedCost(const ContingencyTable& table, double ham_cost) {
  const uint64_t messages = table.ham() + table.spam();
  if (messages == 0) return std::nullopt;
  const double cost =
      ham_cost * static_cast<double>(table.ham_as_spam) + static_cast<double>(table.spam_as_ham);
  return cost / static_cast<double>(messages);
}

// From the highest level down. A threshold that only adds ham, or splits a run of spam, is no better.
Threshold CheapestThreshold(const Ranking& ranking, double ham_cost) {
  Threshold here{std::nullopt, {.ham_as_ham = ranking.ham, .spam_as_ham = ranking.spam}};
  Threshold best = here;
  for (size_t next = ranking.levels.size(); next-- > 0;) {
    const Level& level = ranking.levels[next];
    here.score = level.lowest;
    here.table.ham_as_ham -= level.ham;
    here.table.ham_as_spam += level.ham;
    here.table.spam_as_ham -= level.spam;
    here.table.spam_as_spam += level.spam;
    if (ExpectedCost(here.table, ham_cost) < ExpectedCost(best.table, ham_cost)) best = here;
  }
  return best;
}

}  // namespace thresher::eval

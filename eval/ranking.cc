#include "eval/ranking.h"

#include <algorithm>

namespace thresher::eval {
namespace {

struct Place {
  double score;
  uint32_t index;
  bool spam;
};

std::vector<Place> InOrder(std::span<const Outcome> outcomes) {
  std::vector<Place> places(outcomes.size());
  for (uint32_t i = 0; i < places.size(); ++i) places[i] = {outcomes[i].score, i, outcomes[i].judged_spam};
  // Equal scores are ordered by number: a spam that came first is then below the ham, as TREC counts it.
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.score < b.score || (a.score == b.score && a.index < b.index);
  });
  return places;
}

// The messages of one level: one message in TREC's order, else all with the same score.
struct Group {
  size_t end;
  uint64_t ham;
  uint64_t spam;
};

Group GroupAt(const std::vector<Place>& places, size_t begin, Ties ties) {
  Group group{begin, 0, 0};
  do {
    ++(places[group.end++].spam ? group.spam : group.ham);
  } while (ties == Ties::kHalf && group.end < places.size() &&
           places[group.end].score == places[begin].score);
  return group;
}

bool AreOneClass(const Level& level, const Group& group) {
  return level.ham + group.ham == 0 || level.spam + group.spam == 0;
}

}  // namespace

Ranking Rank(std::span<const Outcome> outcomes, Ties ties, std::vector<uint32_t>* level_of) {
  const std::vector<Place> places = InOrder(outcomes);
  if (level_of != nullptr) level_of->resize(outcomes.size());
  Ranking ranking;
  for (size_t begin = 0; begin < places.size();) {
    const Group group = GroupAt(places, begin, ties);
    if (ranking.levels.empty() || !AreOneClass(ranking.levels.back(), group))
      ranking.levels.push_back({.lowest = places[begin].score});
    ranking.levels.back().ham += group.ham;
    ranking.levels.back().spam += group.spam;
    ranking.ham += group.ham;
    ranking.spam += group.spam;
    for (; begin < group.end; ++begin) {
      if (level_of != nullptr)
        (*level_of)[places[begin].index] = static_cast<uint32_t>(ranking.levels.size() - 1);
    }
  }
  return ranking;
}

}  // namespace thresher::eval

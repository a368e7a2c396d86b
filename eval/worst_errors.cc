#include "eval/worst_errors.h"

#include <algorithm>

namespace thresher::eval {
namespace {

bool IsWorse(const Outcome& a, const Outcome& b) {
  return a.judged_spam ? a.score < b.score : a.score > b.score;
}

}  // namespace

void WorstErrors::Add(std::string_view path, const Outcome& outcome) {
  std::vector<ScoredMessage>& worst = outcome.judged_spam ? spam_ : ham_;
  if (worst.size() == kMost) {
    if (!IsWorse(outcome, worst.back().outcome)) return;
    worst.pop_back();
  }
  const auto place = std::upper_bound(
      worst.begin(), worst.end(), outcome,
      [](const Outcome& one, const ScoredMessage& other) { return IsWorse(one, other.outcome); });
  worst.insert(place, {std::string(path), outcome});
}

}  // namespace thresher::eval

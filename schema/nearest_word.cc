#include "schema/nearest_word.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace thresher::schema {
namespace {

// Levenshtein's: insertions, deletions and substitutions.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, substituted}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known) {
  constexpr size_t kLongest = 100;
  if (word.size() > kLongest) return {};
  size_t least = word.size() / 3 + 1;
  std::string_view nearest;
  for (const std::string_view candidate : known) {
    const auto [shorter, longer] = std::minmax({word.size(), candidate.size()});
    if (longer - shorter >= least) continue;  // the distance is no less
    const size_t distance = EditDistance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view word, std::span<const std::string> known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string_view near = NearestWord(word, words);
  return near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?";
}

}  // namespace thresher::schema

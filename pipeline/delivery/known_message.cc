#include "pipeline/delivery/known_message.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thresher::pipeline {
namespace {

using tokenizer::Features;
using tokenizer::MessageKey;

constexpr double kLeastCosine = 0.8;

using Pairs = std::vector<std::pair<uint64_t, float>>;

Pairs SortedPairs(const Features& features) {
  Pairs pairs;
  pairs.reserve(features.size());
  for (size_t i = 0; i < features.size(); ++i) pairs.emplace_back(features.ids[i], features.values[i]);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

double Product(const Pairs& a, const Pairs& b) {
  double sum = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (x->first == y->first) {
      sum += double{x++->second} * double{y++->second};
    } else {
      ++(x->first < y->first ? x : y);
    }
  }
  return sum;
}

}  // namespace

bool AreAlike(const Features& a, const Features& b) {
  if (a.size() == 0 || b.size() == 0) return a.size() == b.size();
  const Pairs first = SortedPairs(a);
  const Pairs second = SortedPairs(b);
  const double lengths = std::sqrt(Product(first, first) * Product(second, second));
  return Product(first, second) >= kLeastCosine * lengths;
}

Result<std::optional<KnownMessage>> FindKnown(const MessageHistory& history,
                                              const tokenizer::MessageKeys& keys, const Features& features) {
  std::vector<std::pair<MessageKey, bool>> candidates;  // with whether it can be forged
  if (keys.delivered) candidates.emplace_back(*keys.delivered, false);
  candidates.emplace_back(keys.own, false);
  if (keys.unkeyed) candidates.emplace_back(*keys.unkeyed, true);
  for (const auto& [key, can_be_forged] : candidates) {
    const auto last = history.LastTaught(key);
    if (!last) return tl::unexpected(last.error());
    if (!*last) continue;
    const bool is_alike = AreAlike((*last)->features, features);
    if (can_be_forged && !is_alike) continue;
    return KnownMessage{key, (*last)->label, is_alike || features.size() <= (*last)->features.size()};
  }
  return std::nullopt;
}

}  // namespace thresher::pipeline

#include "tokenizer/header_patterns.h"

#include <algorithm>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kThird = 2;

bool HasName(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return EqualsIgnoringCase(name, pattern);
  pattern.remove_suffix(1);
  return StartsWithIgnoringCase(name, pattern);
}

bool HasOneOf(std::string_view name, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [name](const std::string& pattern) { return HasName(name, pattern); });
}

}  // namespace

HeaderPatterns::HeaderPatterns(std::span<const std::string> patterns) {
  for (const std::string& pattern : patterns) {
    const bool has_third = pattern.size() > kThird && pattern[kThird] != '*';
    (has_third ? groups_[GroupOf(pattern[kThird])] : short_).push_back(pattern);
  }
}

bool HeaderPatterns::Match(std::string_view name) const {
  return (name.size() > kThird && HasOneOf(name, groups_[GroupOf(name[kThird])])) || HasOneOf(name, short_);
}

}  // namespace thresher::tokenizer

#include "tokenizer/header_patterns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

TEST(HeaderPatterns, CaseAndEndings) {
  const HeaderPatterns patterns(std::vector<std::string>{"X-Spam*", "Status", "X-"});
  EXPECT_TRUE(patterns.Match("x-SPAM-Level"));
  EXPECT_TRUE(patterns.Match("X-Spam"));
  EXPECT_TRUE(patterns.Match("sTATUS"));
  EXPECT_FALSE(patterns.Match("Status2"));
  EXPECT_FALSE(patterns.Match("X-Spa"));
  EXPECT_FALSE(patterns.Match(""));
  EXPECT_TRUE(HeaderPatterns(std::vector<std::string>{"*"}).Match("anything"));
  EXPECT_TRUE(HeaderPatterns(std::vector<std::string>{"*"}).Match(""));
  EXPECT_FALSE(HeaderPatterns({}).Match("anything"));
}

bool MatchesOne(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return EqualsIgnoringCase(name, pattern);
  return StartsWithIgnoringCase(name, pattern.substr(0, pattern.size() - 1));
}

TEST(HeaderPatterns, AsIfEachWereTried) {
  std::mt19937 random(1);
  const auto text = [&](std::string_view letters) {
    std::string made(random() % 6, ' ');
    for (char& c : made) c = letters[random() % letters.size()];
    return made;
  };
  size_t matches = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> patterns(random() % 5);
    for (std::string& pattern : patterns) pattern = text("aAbB-*") + (random() % 2 == 0 ? "*" : "");
    const std::string name = text("abAB-*3\xc1");
    const bool expected =
        std::ranges::any_of(patterns, [&](const std::string& pattern) { return MatchesOne(name, pattern); });
    matches += expected ? 1 : 0;
    ASSERT_EQ(HeaderPatterns(patterns).Match(name), expected) << name;
  }
  EXPECT_GT(matches, 1000U);
  EXPECT_LT(matches, 19000U);
}

}  // namespace
}  // namespace thresher::tokenizer

#include "eval/pairing.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace thresher::eval {
namespace {

Results Lines(const std::vector<std::pair<std::string, bool>>& lines) {
  Results results;
  for (const auto& [path, spam] : lines) {
    results.paths.Add(path);
    results.outcomes.push_back({.judged_spam = spam});
  }
  return results;
}

TEST(PairUp, ByPathInTheFirstFilesOrder) {
  const Results first = Lines({{"a", false}, {"b", true}, {"c", false}, {"b", true}, {"e", true}});
  const Results second =
      Lines({{"e", true}, {"d", true}, {"a", false}, {"c", true}, {"d", false}, {"b", true}});
  const Pairing pairing = PairUp(first, second);
  ASSERT_EQ(pairing.pairs.size(), 3U);
  EXPECT_EQ(pairing.pairs[0].first, 0U);
  EXPECT_EQ(pairing.pairs[0].second, 2U);
  EXPECT_EQ(pairing.pairs[1].second, 5U);
  EXPECT_EQ(pairing.pairs[2].second, 0U);
  EXPECT_EQ(pairing.only_in_first, 0U);
  EXPECT_EQ(pairing.only_in_second, 1U);
  EXPECT_EQ(pairing.repeated, 2U);
  EXPECT_EQ(pairing.judged_differently, 1U);
}

// Against a table by path, with repeated, missing and differently judged messages.
TEST(PairUp, EqualsALookUpByPath) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::string, bool>> lines[2];
    for (auto& file : lines) {
      const size_t count = random() % 60;
      for (size_t i = 0; i < count; ++i)
        file.emplace_back("m" + std::to_string(random() % 50), random() % 8 == 0);
    }
    const Results first = Lines(lines[0]);
    const Results second = Lines(lines[1]);
    std::map<std::string, uint32_t> tables[2];
    uint64_t repeated = 0;
    for (const size_t file : {0U, 1U}) {
      for (uint32_t i = 0; i < lines[file].size(); ++i)
        repeated += tables[file].emplace(lines[file][i].first, i).second ? 0 : 1;
    }
    const Pairing pairing = PairUp(first, second);
    EXPECT_EQ(pairing.repeated, repeated);
    size_t next = 0;
    uint64_t alone = 0;
    for (uint32_t i = 0; i < lines[0].size(); ++i) {
      if (tables[0].at(lines[0][i].first) != i) continue;
      const auto partner = tables[1].find(lines[0][i].first);
      if (partner == tables[1].end()) {
        ++alone;
      } else if (lines[1][partner->second].second == lines[0][i].second) {
        ASSERT_LT(next, pairing.pairs.size());
        EXPECT_EQ(pairing.pairs[next].first, i);
        EXPECT_EQ(pairing.pairs[next++].second, partner->second);
      }
    }
    EXPECT_EQ(next, pairing.pairs.size());
    EXPECT_EQ(pairing.only_in_first, alone);
    EXPECT_EQ(pairing.only_in_second, tables[1].size() - (tables[0].size() - alone));
  }
}

}  // namespace
}  // namespace thresher::eval

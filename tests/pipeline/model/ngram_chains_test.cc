// Joined n-grams: against a twin that looks at all n-grams for each byte that a chain grows.
#include "pipeline/model/ngram_chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "tokenizer/id_space.h"

namespace thresher::pipeline {
namespace {

using testing::Contains;
using testing::ElementsAre;

const tokenizer::IdSpace kIds(7);

VocabularyLine Ngram(const std::string& bytes, double weight, learners::Counts counts) {
  uint32_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  const uint64_t id = kIds.Ngram(number);
  return {.entry = {.id = id, .weight = weight, .counts = counts}, .text = kIds.NgramText(id)};
}

std::string BytesOf(const VocabularyLine& line) {
  const uint32_t number = kIds.NgramBytes(line.entry.id);
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

std::vector<std::string> TextsOf(const std::vector<VocabularyLine>& lines) {
  std::vector<std::string> texts;
  for (const VocabularyLine& line : lines) texts.push_back(line.text);
  return texts;
}

TEST(NgramChains, JoinTheNgramsOfOneText) {
  const auto joined =
      JoinOverlappingNgrams({Ngram("zzas", 3, {.ham = 0, .spam = 9}),
                             {.entry = {.id = 5, .weight = -2.5, .counts = {}}, .text = "body:zasp"},
                             Ngram("zaso", 2, {.ham = 0, .spam = 8}),
                             Ngram("\nzza", 1, {.ham = 1, .spam = 9})});
  EXPECT_THAT(TextsOf(joined), ElementsAre("raw:\\x0azzaso", "body:zasp"));
  EXPECT_DOUBLE_EQ(joined[0].entry.weight, 3);
  EXPECT_DOUBLE_EQ(joined[0].sum, 6);
  EXPECT_EQ(joined[0].weights, 3U);
  EXPECT_EQ(joined[0].entry.counts.spam, 9U);
  EXPECT_EQ(joined[1].weights, 1U);
}

TEST(NgramChains, DoNotJoinOtherClassesOrOtherMessages) {
  EXPECT_THAT(TextsOf(JoinOverlappingNgrams({Ngram("abcd", 3, {.ham = 0, .spam = 9}),
                                             Ngram("bcde", -2, {.ham = 0, .spam = 9}),
                                             Ngram("bcdf", 1, {.ham = 0, .spam = 4})})),
              ElementsAre("raw:abcd", "raw:bcde", "raw:bcdf"));
}

bool Fit(const VocabularyLine& left, const VocabularyLine& right) {
  const auto sum = [](const VocabularyLine& line) { return line.entry.counts.ham + line.entry.counts.spam; };
  return BytesOf(left).substr(1) == BytesOf(right).substr(0, 3) &&
         (left.entry.weight > 0) == (right.entry.weight > 0) && sum(left) <= 2 * sum(right) &&
         sum(right) <= 2 * sum(left);
}

TEST(NgramChains, AreThoseOfTheSlowTwin) {
  std::mt19937 random(3);
  size_t longest = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<VocabularyLine> lines;
    std::set<uint64_t> ids;
    for (int i = 0; i < 30; ++i) {
      std::string bytes;
      for (int k = 0; k < 4; ++k) bytes += "a\\\n"[random() % 3];
      const double weight = (random() % 3 == 0 ? -1.0 : 1.0) * static_cast<double>(1 + random() % 1000) / 64;
      VocabularyLine line = Ngram(bytes, weight, {.ham = 1, .spam = static_cast<uint32_t>(random() % 4)});
      if (ids.insert(line.entry.id).second) lines.push_back(line);
    }
    SortHeaviestFirst(&lines);

    std::vector<VocabularyLine> left = lines;
    std::vector<std::pair<double, size_t>> expected;  // weight and length of each chain
    while (!left.empty()) {
      std::vector<VocabularyLine> chain = {left.front()};
      left.erase(left.begin());
      const auto grow = [&](bool right) {
        for (bool grown = true; grown;) {
          grown = false;
          for (size_t i = 0; i < left.size() && !grown; ++i) {
            grown = right ? Fit(chain.back(), left[i]) : Fit(left[i], chain.front());
            if (!grown) continue;
            chain.insert(right ? chain.end() : chain.begin(), left[i]);
            left.erase(left.begin() + static_cast<ptrdiff_t>(i));
          }
        }
      };
      grow(true);
      grow(false);
      double sum = 0;
      for (const VocabularyLine& line : chain) sum += line.entry.weight;
      expected.emplace_back(sum, chain.size());
      longest = std::max(longest, chain.size());
    }

    const auto joined = JoinOverlappingNgrams(lines);
    ASSERT_EQ(joined.size(), expected.size());
    for (const VocabularyLine& line : joined)
      EXPECT_THAT(expected, Contains(std::pair(line.sum, line.weights)));  // sums of 1/64 are exact
    for (size_t i = 1; i < joined.size(); ++i)
      EXPECT_GE(std::abs(joined[i - 1].entry.weight), std::abs(joined[i].entry.weight));
  }
  EXPECT_GT(longest, 5U);
}

}  // namespace
}  // namespace thresher::pipeline

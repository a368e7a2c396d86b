#include "eval/outcome.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <string_view>

namespace thresher::eval {
namespace {

Results Read(const std::string& text) {
  ResultReader reader;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    reader.Read(std::string_view(text).substr(begin, end - begin));
    begin = end;
  }
  return reader.Take();
}

TEST(FormatResultLine, HasTheFieldsInTheirOrder) {
  EXPECT_EQ(
      FormatResultLine("../data/000/001", {.judged_spam = false, .called_spam = true, .score = -3.21456789}),
      "../data/000/001 judge=ham class=spam score=-3.21456789\n");
  EXPECT_EQ(FormatResultLine("x", {.judged_spam = true, .called_spam = false, .score = 0}),
            "x judge=spam class=ham score=0.00000000\n");
}

TEST(FormatResultLine, WritesAtLeastNineDigitsAndAllThatAreNeeded) {
  EXPECT_EQ(FormatResultLine("x", {.score = 1.5}), "x judge=ham class=ham score=1.50000000\n");
  EXPECT_EQ(FormatResultLine("x", {.score = 1.0 / 3}), "x judge=ham class=ham score=0.3333333333333333\n");
}

TEST(FormatResultLine, WritesAProbabilityThatIsKnown) {
  EXPECT_EQ(FormatResultLine("x", {.score = 1.5, .probability = 0.1}),
            "x judge=ham class=ham score=1.50000000 probability=0.1\n");
  EXPECT_EQ(FormatResultLine("x", {.score = 1.5, .probability = 0}),
            "x judge=ham class=ham score=1.50000000 probability=0\n");
}

TEST(FormatResultLine, WritesWhoseItIsAndOfWhichKind) {
  EXPECT_EQ(FormatResultLine("x", {.score = 1.5}, {.user = "ann", .genre = "list"}),
            "x judge=ham class=ham score=1.50000000 user=ann genre=list\n");
  EXPECT_EQ(FormatResultLine("x", {.score = 1.5, .probability = 1}, {.user = "", .genre = "list"}),
            "x judge=ham class=ham score=1.50000000 probability=1 genre=list\n");
}

TEST(ResultLines, RoundTripBitForBit) {
  std::mt19937_64 random(7);
  std::string text;
  std::vector<Outcome> written;
  while (written.size() < 5000) {
    const uint64_t bits = random();
    // Every other score is of everyday size, the rest are any bit pattern at all.
    const double score =
        bits % 2 == 0 ? std::bit_cast<double>(random()) : std::ldexp(double(bits >> 11), -50);
    if (!std::isnormal(score)) continue;
    written.push_back({(bits & 4) != 0, (bits & 8) != 0, score});
    if ((bits & 16) != 0) written.back().probability = std::ldexp(double(random() >> 11), -53);
    text += FormatResultLine("data/" + std::to_string(written.size()), written.back());
  }
  const Results results = Read(text);
  EXPECT_EQ(results.bad_line_count, 0U);
  ASSERT_EQ(results.outcomes.size(), written.size());
  ASSERT_EQ(results.paths.size(), written.size());
  for (size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ(results.paths[i], "data/" + std::to_string(i + 1));
    EXPECT_EQ(results.outcomes[i].judged_spam, written[i].judged_spam);
    EXPECT_EQ(results.outcomes[i].called_spam, written[i].called_spam);
    EXPECT_EQ(std::bit_cast<uint64_t>(results.outcomes[i].score), std::bit_cast<uint64_t>(written[i].score));
    EXPECT_EQ(results.outcomes[i].probability, written[i].probability);
  }
}

TEST(ResultReader, TakesBothLineEndsBlankLinesSpacesInPathsAndFurtherFields) {
  const Results results = Read(
      "a judge=ham class=spam score=1\r\n"
      "\r\n"
      "   \n"
      "my mail/b c judge=spam  class=ham\tscore=+2.5e1 user=u genre=g\n"
      "d judge=spam class=spam score=-0.25 probability=0.5 genre=g");
  EXPECT_EQ(results.bad_line_count, 0U);
  ASSERT_EQ(results.outcomes.size(), 3U);
  EXPECT_EQ(results.paths[0], "a");
  EXPECT_EQ(results.paths[1], "my mail/b c");
  EXPECT_EQ(results.paths[2], "d");
  EXPECT_TRUE(results.outcomes[0].called_spam);
  EXPECT_EQ(results.outcomes[1].score, 25);
  EXPECT_TRUE(results.outcomes[1].judged_spam);
  EXPECT_EQ(results.outcomes[2].score, -0.25);
  EXPECT_EQ(results.outcomes[1].probability, Outcome::kUnknown);
  EXPECT_EQ(results.outcomes[2].probability, 0.5);
}

TEST(ResultReader, KnowsUsersAndGenresInAnyOrder) {
  const Results results = Read(
      "a judge=ham class=ham score=1\n"
      "b judge=ham class=ham score=1 genre=list probability=0.25 user=ann\n"
      "c judge=ham class=ham score=1 user=bob runid=7 genre= \n"
      "d judge=ham class=ham score=1 user=ann\n");
  ASSERT_EQ(results.outcomes.size(), 4U);
  EXPECT_EQ(results.outcomes[1].probability, 0.25);
  EXPECT_THAT(results.users.words(), testing::ElementsAre("", "ann", "bob"));
  EXPECT_THAT(results.genres.words(), testing::ElementsAre("", "list"));
  const uint32_t users[] = {0, 1, 2, 1};
  const uint32_t genres[] = {0, 1, 0, 0};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(results.users[i], users[i]);
    EXPECT_EQ(results.genres[i], genres[i]);
  }
  EXPECT_TRUE(Read("a judge=ham class=ham score=1\n").users.empty());
}

// Else the line would lose the end of its last word when it is written and read again.
TEST(ResultReader, ACarriageReturnEndsAWord) {
  const Results results = Read("a\r judge=ham class=ham score=1 user=ann\r genre=list\n");
  ASSERT_EQ(results.outcomes.size(), 1U);
  EXPECT_EQ(results.paths[0], "a");
  EXPECT_THAT(results.users.words(), testing::ElementsAre("", "ann"));
  EXPECT_THAT(results.genres.words(), testing::ElementsAre("", "list"));
}

TEST(ResultReader, CountsRejectedLines) {
  ResultReader reader;
  reader.Read("a judge=ham class=ham score=1\n");
  reader.Reject("too long");
  reader.Read("?");
  ASSERT_EQ(reader.results().bad_line_count, 2U);
  EXPECT_EQ(reader.results().bad_lines[0].number, 2U);
  EXPECT_EQ(reader.results().bad_lines[1].number, 3U);
}

TEST(ResultReader, SaysWhichLineIsWrongAndWhy) {
  const std::pair<const char*, const char*> wrong[] = {
      {"nothing here", "judge= after"},
      {" judge=ham class=ham score=0", "a path"},
      {"p judge=eggs class=ham score=0", "judge=ham or"},
      {"p judge=ham score=0", "class=ham or"},
      {"p judge=ham class=unsure score=0", "class=ham or"},
      {"p judge=ham class=ham", "score= after"},
      {"p judge=ham class=ham score=", "score="},
      {"p judge=ham class=ham score=1.5x", "score=1.5x"},
      {"p judge=ham class=ham score=nan", "score=nan"},
      {"p judge=ham class=ham score=-inf", "score=-inf"},
      {"p judge=ham class=ham score=1e999", "score=1e999"},
      {"p judge=ham class=ham score=1 probability=1.5", "probability=1.5"},
      {"p judge=ham class=ham score=1 probability=-0.1", "probability=-0.1"},
      {"p judge=ham class=ham score=1 probability=nan", "probability=nan"}};
  for (const auto& [line, reason] : wrong) {
    const Results results = Read(std::string("good judge=ham class=ham score=0\n") + line + "\n");
    EXPECT_EQ(results.outcomes.size(), 1U) << line;
    ASSERT_EQ(results.bad_lines.size(), 1U) << line;
    EXPECT_EQ(results.bad_lines[0].number, 2U) << line;
    EXPECT_THAT(results.bad_lines[0].what, testing::HasSubstr(reason)) << line;
  }
}

TEST(ResultReader, WhatIsTooSmallForADoubleIsZero) {
  const Results results = Read("a judge=ham class=ham score=-1e-999 probability=1e-400\n");
  EXPECT_EQ(results.bad_line_count, 0U);
  ASSERT_EQ(results.outcomes.size(), 1U);
  EXPECT_EQ(results.outcomes[0].score, 0);
  EXPECT_EQ(results.outcomes[0].probability, 0);
}

TEST(ResultReader, KeepsTheFirstThreeBadLinesAndCountsAll) {
  std::string text;
  for (int i = 0; i < 250; ++i) text += "?\n";
  const Results results = Read(text);
  EXPECT_EQ(results.bad_line_count, 250U);
  ASSERT_EQ(results.bad_lines.size(), 3U);
  EXPECT_EQ(results.bad_lines.back().number, 3U);
}

TEST(ResultReader, SurvivesAnyBytes) {
  std::mt19937_64 random(11);
  const std::string good = "p judge=spam class=ham score=1.25\n";
  for (int round = 0; round < 2000; ++round) {
    std::string text = good + good;
    for (int flips = 0; flips < 4; ++flips) text[random() % text.size()] = static_cast<char>(random());
    const Results results = Read(text);
    EXPECT_EQ(results.paths.size(), results.outcomes.size());
    for (const Outcome& outcome : results.outcomes) EXPECT_TRUE(std::isfinite(outcome.score));
  }
}

}  // namespace
}  // namespace thresher::eval

#include "eval/worst_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace thresher::eval {
namespace {

std::vector<std::string> PathsOf(const std::vector<ScoredMessage>& messages) {
  std::vector<std::string> paths;
  paths.reserve(messages.size());
  for (const ScoredMessage& message : messages) paths.push_back(message.path);
  return paths;
}

TEST(WorstErrors, HighestHamAndLowestSpamFirst) {
  WorstErrors worst;
  worst.Add("low ham", {.judged_spam = false, .score = -1});
  worst.Add("spam", {.judged_spam = true, .score = 2});
  worst.Add("high ham", {.judged_spam = false, .called_spam = true, .score = 3});
  worst.Add("lost spam", {.judged_spam = true, .score = -2});
  worst.Add("another high ham", {.judged_spam = false, .score = 3});
  EXPECT_THAT(PathsOf(worst.ham()), testing::ElementsAre("high ham", "another high ham", "low ham"));
  EXPECT_THAT(PathsOf(worst.spam()), testing::ElementsAre("lost spam", "spam"));
  EXPECT_TRUE(worst.ham()[0].outcome.called_spam);
}

// The slow way is to sort all messages.
TEST(WorstErrors, OfManyMessagesAreTheFirstInTheirOrder) {
  std::mt19937_64 random(5);
  std::vector<ScoredMessage> all;
  WorstErrors worst;
  for (int i = 0; i < 2000; ++i) {
    all.push_back({std::to_string(i), {.judged_spam = true, .score = static_cast<double>(random() % 300)}});
    worst.Add(all.back().path, all.back().outcome);
  }
  std::stable_sort(all.begin(), all.end(), [](const ScoredMessage& a, const ScoredMessage& b) {
    return a.outcome.score < b.outcome.score;
  });
  all.resize(WorstErrors::kMost);
  EXPECT_EQ(PathsOf(worst.spam()), PathsOf(all));
  EXPECT_TRUE(worst.ham().empty());
}

}  // namespace
}  // namespace thresher::eval

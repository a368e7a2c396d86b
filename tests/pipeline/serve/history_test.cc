#include "pipeline/serve/history.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace thresher::pipeline {
namespace {

using learners::Label;

TEST(HistoryTest, CountsByTheMinute) {
  History history(1000);
  history.Judge("a", Verdict::kSpam, 2000, 1200);
  history.Judge("b", Verdict::kHam, 1000, 1259);
  history.Judge("c", Verdict::kUnsure, 3000, 1260);
  history.Measure(42, 1261);
  const nlohmann::ordered_json json = history.Json();
  EXPECT_EQ(json.at("since"), 1000);
  ASSERT_EQ(json.at("steps").size(), 2U);
  const auto& first = json.at("steps")[0];
  EXPECT_EQ(first.at("time"), 1200);
  EXPECT_EQ(first.at("spam"), 1);
  EXPECT_EQ(first.at("ham"), 1);
  EXPECT_NEAR(first.at("seconds").get<double>(), 0.003, 1e-12);
  EXPECT_TRUE(first.at("nonzeros").is_null());
  const auto& second = json.at("steps")[1];
  EXPECT_EQ(second.at("unsure"), 1);
  EXPECT_EQ(second.at("nonzeros"), 42);
}

TEST(HistoryTest, TheFirstFeedbackSaysWhetherAVerdictWasRight) {
  History history(0);
  history.Judge("lost", Verdict::kSpam, 1, 60);
  history.Judge("missed", Verdict::kUnsure, 1, 60);
  history.Judge("right", Verdict::kHam, 1, 60);
  history.Teach("lost", Label::kHam, TeachResult::kNew, 60);
  history.Teach("lost", Label::kSpam, TeachResult::kCorrected, 60);
  history.Teach("missed", Label::kSpam, TeachResult::kNew, 60);
  history.Teach("right", Label::kHam, TeachResult::kKnown, 60);
  history.Teach("never judged", Label::kSpam, TeachResult::kNew, 60);
  const auto step = history.Json().at("steps")[0];
  EXPECT_EQ(step.at("lost_ham"), 1);
  EXPECT_EQ(step.at("missed_spam"), 1);
  EXPECT_EQ(step.at("taught_ham"), 1);
  EXPECT_EQ(step.at("taught_spam"), 3);
}

TEST(HistoryTest, IsBounded) {
  History history(0);
  const auto begin_of = [](size_t step) { return static_cast<int64_t>(step) * History::kStepSeconds; };
  for (size_t i = 0; i < History::kMostSteps + 10; ++i)
    history.Judge("same", Verdict::kHam, 1, begin_of(i + 1));
  EXPECT_EQ(history.Json().at("steps").size(), History::kMostSteps);
  EXPECT_EQ(history.Json().at("steps")[0].at("time"), begin_of(11));
  for (size_t i = 0; i < History::kMostVerdicts; ++i) history.Judge(std::to_string(i), Verdict::kHam, 1, 0);
  // It was pushed out.
  history.Teach("same", Label::kSpam, TeachResult::kNew, begin_of(1));
  history.Teach("1", Label::kSpam, TeachResult::kNew, begin_of(1));
  uint64_t missed = 0;
  const nlohmann::ordered_json json = history.Json();
  for (const auto& step : json.at("steps")) missed += step.at("missed_spam").get<uint64_t>();
  EXPECT_EQ(missed, 1U);
}

TEST(HistoryTest, AVerdictAfterFeedbackIsRememberedAsLongAsOthers) {
  History history(0);
  history.Judge("again", Verdict::kSpam, 1, 60);
  history.Teach("again", Label::kSpam, TeachResult::kNew, 60);
  history.Judge("again", Verdict::kHam, 1, 60);
  for (size_t i = 1; i < History::kMostVerdicts; ++i) history.Judge(std::to_string(i), Verdict::kHam, 1, 60);
  history.Teach("again", Label::kSpam, TeachResult::kKnown, 60);
  EXPECT_EQ(history.Json().at("steps")[0].at("missed_spam"), 1);
}

}  // namespace
}  // namespace thresher::pipeline

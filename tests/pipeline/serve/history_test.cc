#include "pipeline/serve/history.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using learners::Label;

tokenizer::MessageKey Key(const std::string& digest, const std::string& user = "") {
  return {tokenizer::MessageIdOf(user, "id@example.org"), digest};
}

TEST(HistoryTest, CountsByTheMinute) {
  History history(1000);
  history.Judge(Key("a"), Verdict::kSpam, 2000, 1200);
  history.Judge(Key("b"), Verdict::kHam, 1000, 1259);
  history.Judge(Key("c"), Verdict::kUnsure, 3000, 1260);
  history.Measure(42, 1261);
  const nlohmann::ordered_json json = history.Json(1261);
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
  history.Judge(Key("lost"), Verdict::kSpam, 1, 60);
  history.Judge(Key("missed"), Verdict::kUnsure, 1, 60);
  history.Judge(Key("right"), Verdict::kHam, 1, 60);
  history.Teach(Key("lost"), Label::kHam, TeachResult::kNew, 60);
  history.Teach(Key("lost"), Label::kSpam, TeachResult::kCorrected, 60);
  history.Teach(Key("missed"), Label::kSpam, TeachResult::kNew, 60);
  history.Teach(Key("right"), Label::kHam, TeachResult::kKnown, 60);
  history.Teach(Key("never judged"), Label::kSpam, TeachResult::kNew, 60);
  const auto step = history.Json(60).at("steps")[0];
  EXPECT_EQ(step.at("lost_ham"), 1);
  EXPECT_EQ(step.at("missed_spam"), 1);
  EXPECT_EQ(step.at("taught_ham"), 1);
  EXPECT_EQ(step.at("taught_spam"), 3);
}

TEST(HistoryTest, TellsTheUsersOfOneMailApart) {
  History history(0);
  for (const char* user : {"alice", "bob", "carol"}) history.Judge(Key("same", user), Verdict::kHam, 1, 60);
  for (const char* user : {"alice", "bob", "alice"})
    history.Teach(Key("same", user), Label::kSpam, TeachResult::kNew, 60);
  EXPECT_EQ(history.Json(60).at("steps")[0].at("missed_spam"), 2);
}

// Minutes in which nothing happens have no entry, so a quiet daemon has few.
TEST(HistoryTest, IsOfTheLastDay) {
  constexpr int64_t kDay = int64_t{24} * 60 * 60;
  History history(0);
  history.Judge(Key("a"), Verdict::kSpam, 1, 60);
  history.Judge(Key("b"), Verdict::kHam, 1, 60 + 3 * kDay);
  const auto first_time = [&](int64_t now) { return history.Json(now).at("steps")[0].at("time"); };
  EXPECT_EQ(first_time(60 + 3 * kDay), 60 + 3 * kDay);
  EXPECT_EQ(history.Json(60 + 4 * kDay - 1).at("steps").size(), 1U);
  EXPECT_EQ(history.Json(60 + 4 * kDay).at("steps").size(), 0U);
  history.Judge(Key("c"), Verdict::kHam, 1, 4 * kDay);
  EXPECT_EQ(history.Json(4 * kDay).at("steps").size(), 2U);
}

TEST(HistoryTest, GoesOnAfterAClockThatWasAhead) {
  History history(0);
  history.Judge(Key("a"), Verdict::kSpam, 1, 1200);
  history.Judge(Key("b"), Verdict::kSpam, 1, 1200 + 3600);
  history.Judge(Key("c"), Verdict::kHam, 1, 1320);
  history.Judge(Key("d"), Verdict::kHam, 1, 1310);
  const nlohmann::ordered_json json = history.Json(1320);
  ASSERT_EQ(json.at("steps").size(), 2U);
  EXPECT_EQ(json.at("steps")[0].at("time"), 1200);
  EXPECT_EQ(json.at("steps")[1].at("time"), 1320);
  EXPECT_EQ(json.at("steps")[1].at("ham"), 2);
}

TEST(HistoryTest, IsBounded) {
  History history(0);
  const auto begin_of = [](size_t step) { return static_cast<int64_t>(step) * History::kStepSeconds; };
  for (size_t i = 0; i < History::kMostSteps + 10; ++i)
    history.Judge(Key("same"), Verdict::kHam, 1, begin_of(i + 1));
  const int64_t now = begin_of(History::kMostSteps + 10);
  EXPECT_EQ(history.Json(now).at("steps").size(), History::kMostSteps);
  EXPECT_EQ(history.Json(now).at("steps")[0].at("time"), begin_of(11));
  for (size_t i = 0; i < History::kMostVerdicts; ++i)
    history.Judge(Key(std::to_string(i)), Verdict::kHam, 1, now);
  // It was pushed out.
  history.Teach(Key("same"), Label::kSpam, TeachResult::kNew, now);
  history.Teach(Key("1"), Label::kSpam, TeachResult::kNew, now);
  uint64_t missed = 0;
  const nlohmann::ordered_json json = history.Json(now);
  for (const auto& step : json.at("steps")) missed += step.at("missed_spam").get<uint64_t>();
  EXPECT_EQ(missed, 1U);
}

TEST(HistoryTest, AVerdictAfterFeedbackIsRememberedAsLongAsOthers) {
  History history(0);
  history.Judge(Key("again"), Verdict::kSpam, 1, 60);
  history.Teach(Key("again"), Label::kSpam, TeachResult::kNew, 60);
  history.Judge(Key("again"), Verdict::kHam, 1, 60);
  for (size_t i = 1; i < History::kMostVerdicts; ++i)
    history.Judge(Key(std::to_string(i)), Verdict::kHam, 1, 60);
  history.Teach(Key("again"), Label::kSpam, TeachResult::kKnown, 60);
  EXPECT_EQ(history.Json(60).at("steps")[0].at("missed_spam"), 1);
}

}  // namespace
}  // namespace thresher::pipeline

// What a service says of its model and of messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "pipeline/wall_clock.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/model_service_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

class ModelServiceLooksTest : public ModelServiceTest {
 protected:
  template <class Call>
  static nlohmann::json JsonOf(const Call& call) {
    return Heard<nlohmann::ordered_json>(call).value();
  }
};

TEST_F(ModelServiceLooksTest, ExplainsAndCounts) {
  const auto service = Started(SettingsOf("store"));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(Learn(*service, MessageNumber(i), LabelOfNumber(i)));
  const auto why = Heard<Explanation>([&](auto done) { service->Explain(SpamMessage(100), {}, 3, done); });
  ASSERT_TRUE(why);
  EXPECT_EQ(why->listed.size(), 3U);
  EXPECT_EQ(why->score.margin, service->Classify(SpamMessage(100), {})->score.margin);
  EXPECT_EQ(why->decided_by, "");
  const auto vocabulary =
      JsonOf([&](auto done) { service->Vocabulary({.field = "subject", .top = 2}, {}, done); });
  EXPECT_EQ(vocabulary.at("tokens").size(), 2U);
  EXPECT_EQ(vocabulary.at("tokens")[0].at("field"), "subject");
  const auto counts = Heard<ModelCounts>([&](auto done) { service->Counts({}, done); });
  EXPECT_EQ(counts->taught.ham, 20U);
  EXPECT_EQ(counts->taught.spam, 10U);
  const auto statistics = JsonOf([&](auto done) { service->Statistics(7, {}, done); });
  EXPECT_EQ(statistics.at("ham"), 20);
  EXPECT_EQ(statistics.at("spam"), 10);
  EXPECT_EQ(statistics.at("recent"), 7);

  const auto foresee = [&](const std::string& message, Label label) {
    return JsonOf([&](auto done) { service->Foresee(message, {}, {.label = label}, done); });
  };
  const auto foresight = foresee(SpamMessage(100), Label::kHam);
  EXPECT_EQ(foresight.at("margin"), why->score.margin);
  EXPECT_EQ(foresight.at("can_judge"), true);
  EXPECT_EQ(foresight.at("known"), false);
  EXPECT_EQ(foresee(MessageNumber(3), LabelOfNumber(3)).at("known"), true);
  EXPECT_EQ(foresee(MessageNumber(3), LabelOfNumber(3)).at("corrects"), false);
  EXPECT_EQ(foresee(MessageNumber(3), LabelOfNumber(2)).at("known"), false);
  EXPECT_EQ(foresee(MessageNumber(3), LabelOfNumber(2)).at("corrects"), true);
}

TEST_F(ModelServiceLooksTest, ExplainsThatTheListsDecided) {
  const auto service = Started(SettingsOf("store"));
  service->SetLists(std::make_shared<const SenderLists>(
      SenderLists::Parse("allow domain pills.example\n", "lists").value()));
  const auto why = Heard<Explanation>([&](auto done) { service->Explain(SpamMessage(1), {}, 3, done); });
  ASSERT_TRUE(why);
  EXPECT_EQ(why->verdict, Verdict::kHam);
  EXPECT_EQ(why->decided_by, "allow:domain");
}

TEST_F(ModelServiceLooksTest, ExplainsWhatItKeeps) {
  const auto service = Started(SettingsOf("store"));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(Learn(*service, MessageNumber(i), LabelOfNumber(i)));
  const auto explain = [&](const tokenizer::MessageKey& key, const std::string& user) {
    return Heard<Explanation>([&](auto done) { service->ExplainKept(key, {user}, 0, done); });
  };
  const auto judged = service->Classify(SpamMessage(700), {"alice"});
  const tokenizer::MessageKey key{"spam700@pills.example", judged->key.digest};
  EXPECT_EQ(explain(key, "").error().exit_code, kNoInput);  // it is Alice's
  const auto waiting = explain(key, "alice");
  ASSERT_TRUE(waiting);
  EXPECT_EQ(waiting->score.margin, judged->score.margin);
  // From the log it is the same message, with the texts of all tokens that have a weight.
  ASSERT_EQ(Feedback(*service, {Label::kSpam, key.message_id, key.digest}, "alice"), TeachResult::kNew);
  const auto taught = explain(key, "alice");
  ASSERT_TRUE(taught);
  EXPECT_EQ(taught->verdict, Verdict::kSpam);
  const auto texts = [](const Explanation& of) {
    std::set<std::string> all;
    for (const ExplainedToken& token : of.listed) all.insert(token.text);
    return all;
  };
  EXPECT_THAT(texts(*taught), testing::IsSupersetOf(texts(*waiting)));
  EXPECT_TRUE(service->Ready());
}

TEST_F(ModelServiceLooksTest, TellsHowWeightsChanged) {
  History history(0);
  const auto service =
      Started(SettingsOf("store"), {.history = &history, .until_checkpoint = std::chrono::hours(1)});
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(Learn(*service, MessageNumber(i), LabelOfNumber(i)));
  const auto list = [&](const VocabularyQuery& query) {
    return JsonOf([&](auto done) { service->Vocabulary(query, {}, done); });
  };
  const auto pills = list({.contains = "PILLS", .ham = false, .top = 3});
  ASSERT_EQ(pills.at("tokens").size(), 3U);
  EXPECT_GT(pills.at("matching"), 3);
  for (const auto& token : pills.at("tokens")) {
    EXPECT_THAT(token.at("token").get<std::string>(), HasSubstr("pills"));
    EXPECT_GT(token.at("weight"), 0);
  }
  const auto next = list({.contains = "pills", .ham = false, .skip = 2, .top = 2});
  EXPECT_EQ(next.at("tokens")[0], pills.at("tokens")[2]);
  EXPECT_TRUE(list({.contains = "no such token"}).at("tokens").empty());
  const uint64_t id = std::stoull(pills.at("tokens")[0].at("id").get<std::string>(), nullptr, 16);
  const auto weights = JsonOf([&](auto done) { service->Weights({id, 12345}, {}, done); });
  EXPECT_EQ(weights.at("tokens")[0].at("weight"), pills.at("tokens")[0].at("weight"));
  EXPECT_EQ(weights.at("tokens")[0].at("points").size(), 1U);
  EXPECT_EQ(weights.at("tokens")[1].at("weight"), 0);
  // A weight that has changed is another point.
  for (const int spam : {0, 3, 6})
    ASSERT_EQ(Learn(*service, MessageNumber(spam), Label::kHam), TeachResult::kCorrected);
  list({.contains = "pills", .top = 0});
  const auto later = JsonOf([&](auto done) { service->Weights({id}, {}, done); });
  const auto points = later.at("tokens")[0].at("points");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0][1], pills.at("tokens")[0].at("weight"));
  EXPECT_EQ(points[1][1], later.at("tokens")[0].at("weight"));
}

// All that it was taught at a time, and not the first of it.
TEST_F(ModelServiceLooksTest, TheHistoryHasTheWeightsOfTheLastLesson) {
  History history(0);
  const auto service = Started(SettingsOf("store"), {.history = &history});
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(Learn(*service, MessageNumber(i), LabelOfNumber(i)));
  const auto statistics = JsonOf([&](auto done) { service->Statistics(0, {}, done); });
  const auto wanted = statistics.at("nonzeros").get<uint64_t>();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  uint64_t newest = 0;
  while (newest != wanted && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
    const auto steps = history.Json(UnixSeconds()).at("steps");
    if (!steps.empty() && steps.back().at("nonzeros").is_number())
      newest = steps.back().at("nonzeros").get<uint64_t>();
  }
  EXPECT_EQ(newest, wanted);
  EXPECT_GT(newest, 0U);
}

}  // namespace
}  // namespace thresher::pipeline

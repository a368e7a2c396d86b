// Services that follow one log know what the others say of themselves, and whose model differs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/serve/http_answers.h"
#include "tests/pipeline/serve/shared_log_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

TEST_F(SharedLogTest, EachKnowsTheStateOfAll) {
  const Served one = Serve("one");
  const Served two = Serve("two");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  const auto nodes = [&] { return nlohmann::json::parse(LogResponse(Describe(one)).body).at("nodes"); };
  Await([&] {
    const auto now = nodes();
    return now.size() == 2 && now[0]["digest_record"] == 4 && now[1]["digest_record"] == 4;
  });
  const auto all = nodes();
  EXPECT_NE(all[0]["id"], all[1]["id"]);
  EXPECT_EQ(all[0]["digest"], all[1]["digest"]);
  for (const auto& node : all) {
    EXPECT_EQ(node["state"], "follows");
    EXPECT_EQ(node["position"], 4);
    EXPECT_EQ(node["lag"], 0);
    EXPECT_EQ(node["trouble"], "");
    EXPECT_NE(node["version"], "");
    EXPECT_LE(node["seconds_ago"], 3600);
  }
  two.log->is_cut_off = true;
  for (int i = 4; i < 8; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  Await([&] {
    const auto now = nodes();
    return now[0]["lag"].get<int>() + now[1]["lag"].get<int>() == 4;
  });
}

TEST_F(SharedLogTest, OneOfThreeThatDiffersStopsAndSaysSo) {
  const Served one = Serve("one");
  Damage("two");
  const Served two = Serve("two");
  const Served three = Serve("three");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  Await([&] { return !two.service->Log()->trouble.empty(); });
  EXPECT_THAT(two.service->Log()->trouble, HasSubstr("after record 4 "));
  EXPECT_THAT(two.service->Log()->trouble, HasSubstr(two.service->Log()->differs));
  ASSERT_TRUE(Learn(*three.service, SpamMessage(4), Label::kSpam));
  EXPECT_EQ(Learn(*two.service, SpamMessage(5), Label::kSpam), TeachResult::kWaiting);
  for (const Served* const each : {&one, &three}) {
    AwaitRecords(*each, 6);  // it is published all the same
    Await([&] { return each->service->Log()->differs.empty(); });
  }
  EXPECT_EQ(two.service->Log()->position, 4U);
  EXPECT_EQ(two.service->Log()->digest_record, 4U);
  EXPECT_TRUE(two.service->Ready());
  EXPECT_TRUE(two.service->Classify(SpamMessage(1000), {}).has_value());
}

TEST_F(SharedLogTest, OfTwoThatDifferBothSaySoAndGoOn) {
  const Served one = Serve("one");
  Damage("two");
  const Served two = Serve("two");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Learn(*one.service, MessageNumber(i), LabelOfNumber(i)));
  for (const Served* const each : {&one, &two}) {
    Await([&] { return !each->service->Log()->differs.empty(); });
    EXPECT_EQ(each->service->Log()->trouble, "");
    EXPECT_TRUE(each->service->Ready());
    EXPECT_EQ(Learn(*each->service, MessageNumber(each == &one ? 4 : 5), Label::kHam), TeachResult::kNew);
  }
}

TEST_F(SharedLogTest, WhoCannotSayHowItIsIsNotCutOff) {
  const Served one = Serve("one", 0, [](MemoryLog& log) { log.refuses_entries = true; });
  ASSERT_TRUE(Learn(*one.service, SpamMessage(0), Label::kSpam));
  Await([&] { return one.service->Log()->trouble == "an entry was refused"; });
  for (int i = 1; i < 4; ++i) EXPECT_EQ(Learn(*one.service, SpamMessage(i), Label::kSpam), TeachResult::kNew);
}

}  // namespace
}  // namespace thresher::pipeline

#include "eval/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace thresher::eval {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<Outcome> SmallRun() {
  std::vector<Outcome> outcomes;
  outcomes.reserve(300);
  for (int i = 0; i < 200; ++i)
    outcomes.push_back({.judged_spam = false, .called_spam = i > 197, .score = i - 199.0});
  for (int i = 0; i < 100; ++i)
    outcomes.push_back({.judged_spam = true, .called_spam = i > 9, .score = i - 10.0});
  return outcomes;
}

Summary Summarised(const std::vector<Outcome>& outcomes) {
  return Summarise({{"spam if p ≥ 0.97", Tabulate(outcomes)}}, outcomes);
}

TEST(FormatText, ReadsAtAGlance) {
  EXPECT_EQ(FormatText(Summarised(SmallRun())),
            R"(300 messages

spam if p ≥ 0.97
                         left in inbox     called spam         all
  really ham                       198               2         200
  really spam                       10              90         100
  hm%           ham called spam                     1.000 %  (95 %: 0.121 to 3.565)
  sm%           spam left in the inbox             10.000 %  (95 %: 4.900 to 17.622)
  lam%          both, averaged as log-odds          3.682 %

at any threshold
  (1−ROCA)%     ham scored above a spam             0.302 %  (95 %: 0.118 to 0.771)
  sm% at hm% .1 spam left, 1 ham in 1000 lost      11.000 %
)");
}

TEST(FormatText, SaysInWordsWhatIsNotDefined) {
  const std::vector<Outcome> only_ham(3);
  const std::string text = FormatText(Summarised(only_ham));
  EXPECT_THAT(text, HasSubstr("not defined: no spam in these results"));
  EXPECT_THAT(text, HasSubstr("not defined: these results hold one class only"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));

  const std::string empty = FormatText(Summarised({}));
  EXPECT_THAT(empty, HasSubstr("0 messages"));
  EXPECT_THAT(empty, HasSubstr("not defined: no messages in these results"));
}

TEST(FormatJson, HoldsTheSameFigures) {
  const std::vector<Outcome> outcomes = SmallRun();
  const auto json = nlohmann::json::parse(FormatJson(Summarised(outcomes)));
  EXPECT_EQ(json["schema"], "thresher-summary/1");
  EXPECT_EQ(json["messages"], 300);
  ASSERT_EQ(json["tables"].size(), 1U);
  const auto& table = json["tables"][0];
  EXPECT_EQ(table["name"], "spam if p ≥ 0.97");
  EXPECT_EQ(table["ham_as_ham"], 198);
  EXPECT_EQ(table["ham_as_spam"], 2);
  EXPECT_EQ(table["spam_as_ham"], 10);
  EXPECT_EQ(table["spam_as_spam"], 90);
  EXPECT_EQ(table["hm_percent"]["value"], 1.0);
  EXPECT_EQ(table["sm_percent"]["high"], MisclassificationRate(10, 100)->high);
  EXPECT_EQ(table["lam_percent"], *LogisticAverageMisclassification(Tabulate(outcomes)));
  EXPECT_EQ(json["roc_area_above_percent"]["low"], RocAreaAboveWithInterval(outcomes)->low);
  EXPECT_EQ(json["sm_percent_at_hm_percent_0.1"], *SpamMisclassificationAt(outcomes, 0.1));
}

TEST(FormatJson, WritesNullForWhatIsNotDefinedAndStandsBrokenNames) {
  const auto json = nlohmann::json::parse(FormatJson(Summarise({{"\xff\xfe", {}}}, {})));
  EXPECT_TRUE(json["roc_area_above_percent"].is_null());
  EXPECT_TRUE(json["sm_percent_at_hm_percent_0.1"].is_null());
  EXPECT_TRUE(json["tables"][0]["hm_percent"].is_null());
  EXPECT_TRUE(json["tables"][0]["lam_percent"].is_null());
}

}  // namespace
}  // namespace thresher::eval

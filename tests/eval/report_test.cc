#include "eval/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "eval/report_json.h"

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
  return Summarise({{"spam if p ≥ 0.97", Tabulate(outcomes), NamedTable::Unsure{5, 7}}}, outcomes);
}

TEST(FormatText, ReadsAtAGlance) {
  std::vector<Outcome> outcomes = SmallRun();
  outcomes[0].probability = 0.25;
  EXPECT_EQ(FormatText(Summarised(outcomes)),
            R"(300 messages

spam if p ≥ 0.97
                         left in inbox     called spam         all
  really ham                       198               2         200
  really spam                       10              90         100
  left in inbox, but unsure: 5 of the ham, 7 of the spam
  hm%             ham called spam                   1.000 %  (95 %: 0.121 to 3.565)
  sm%             spam left in the inbox           10.000 %  (95 %: 4.900 to 17.622)
  lam%            both, averaged as log-odds        3.682 %  (95 %: 1.862 to 7.153)
  precision 0.9783, recall 0.9000, F1 0.9375, MCC 0.9099

at any threshold
  (1−ROCA)%       ham scored above a spam           0.302 %  (95 %: 0.118 to 0.771)
  sm% at hm% 0.01 spam left, 0 of 200 ham lost     11.000 %
  sm% at hm% 0.1  spam left, 0 of 200 ham lost     11.000 %
  sm% at hm% 1    spam left, 2 of 200 ham lost      9.000 %

probabilities of 1 of the 300 messages
  log-loss        nats per message                  0.28768
  Brier score     mean squared error                0.06250
  calibration     mean |predicted − observed|       0.25000
)");
}

// Ten thousand pairs and one inversion: 1e-6 %, which three digits after the point would call none.
TEST(FormatText, SmallFiguresKeepTheirDigits) {
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 10000; ++i) {
    outcomes.push_back({.judged_spam = false, .score = -1.0 - i});
    outcomes.push_back({.judged_spam = true, .score = 1.0 + i});
  }
  std::swap(outcomes[0].score, outcomes[1].score);
  EXPECT_THAT(FormatText(Summarised(outcomes)), HasSubstr("scored above a spam           1e-06 %  (95 %: "));
}

TEST(FormatText, SaysOfHowManyMessagesProbabilitiesAre) {
  std::vector<Outcome> outcomes = SmallRun();
  for (Outcome& outcome : outcomes) outcome.probability = 0.25;
  EXPECT_THAT(FormatText(Summarised(outcomes)), HasSubstr("\nprobabilities\n"));
}

TEST(FormatText, CostsPartsAndTies) {
  const std::vector<Outcome> outcomes = SmallRun();
  Summary summary =
      Summarise({{"verdicts", Tabulate(outcomes)}}, outcomes,
                {.ties = Ties::kTrec, .interval = {.method = IntervalMethod::kAuto}, .ham_cost = 10});
  const std::vector<uint64_t> ends = {200, 300};
  summary.curve = LearningCurve(outcomes, ends, 0);
  summary.grouped_by = "user";
  summary.groups = FiguresBy(WordColumn(), outcomes);
  const std::string text = FormatText(summary);
  EXPECT_THAT(text, HasSubstr("ham above a spam, ties as TREC"));
  EXPECT_THAT(
      text,
      HasSubstr("if a lost ham costs 10 and a spam in the inbox 1\n"
                "  verdicts                              0.100000: 2 ham lost, 10 spam in the inbox\n"
                "  best: spam if score ≥ 1               0.036667: 0 ham lost, 11 spam in the inbox\n"));
  EXPECT_THAT(text, HasSubstr("\n       200      0.0    1.0000         -         -         -  "));
  EXPECT_THAT(
      text, HasSubstr("\n       300    100.0         -   10.0000         -         -      1.0000   10.0000"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "\n(none)                     300     33.3    1.0000   10.0000    3.6819    0.3025         -"));
  const auto json = ToJson(summary);
  EXPECT_EQ(json["ties"], "trec");
  EXPECT_EQ(json["interval"], "bootstrap");
  EXPECT_EQ(json["cheapest_threshold"]["score"], 1);
  EXPECT_EQ(json["tables"][0]["expected_cost"], 0.1);
  EXPECT_EQ(json["curve"][1]["window"]["messages"], 100);
  EXPECT_EQ(json["curve"][1]["so_far"]["messages"], 300);
  EXPECT_TRUE(json["curve"][0]["window"]["sm_percent"].is_null());
  EXPECT_EQ(json["groups"]["by"], "user");
  EXPECT_EQ(json["groups"]["parts"][0]["figures"]["spam_as_ham"], 10);
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

TEST(FormatComparison, ReadsAtAGlance) {
  std::vector<Outcome> first = SmallRun();
  std::vector<Outcome> second = first;
  for (Outcome& outcome : second) outcome.called_spam = outcome.judged_spam;
  const Comparison comparison = Compare(first, second);
  const std::string text = FormatText(comparison, "a", "b");
  EXPECT_THAT(text, HasSubstr("first   a\nsecond  b\n300 messages in both\n"));
  EXPECT_THAT(text, HasSubstr("  sm%             10.000     0.000     -10.000  (95 %: -"));
  EXPECT_THAT(text, HasSubstr("  (1−ROCA)%        0.302     0.302      +0.000  (95 %: +0.000 to +0.000)\n"));
  EXPECT_THAT(text, HasSubstr("  spam                10         0              p = 0.00195\n"));
  Comparison close = comparison;
  close.roc_area_above = Difference{
      .first = 0.0004, .second = 0.00037, .interval = Difference::Interval{.low = -0.00012, .high = 0.00006}};
  EXPECT_THAT(FormatText(close, "a", "b"),
              HasSubstr("  (1−ROCA)%       0.0004   0.00037      -3e-05  (95 %: -0.00012 to +6e-05)\n"));
  const auto json = ToJson(comparison, "a", "b");
  EXPECT_EQ(json["schema"], "thresher-comparison/1");
  EXPECT_EQ(json["sm_percent"]["difference"], -10);
  EXPECT_EQ(json["mcnemar"]["spam"]["only_first_wrong"], 10);
  EXPECT_TRUE(ToJson(Compare({}, {}), "a", "b")["hm_percent"].is_null());
}

TEST(SummaryAsJson, HoldsTheSameFigures) {
  const std::vector<Outcome> outcomes = SmallRun();
  const auto json = ToJson(Summarised(outcomes));
  EXPECT_EQ(json["schema"], "thresher-summary/1");
  EXPECT_EQ(json["messages"], 300);
  ASSERT_EQ(json["tables"].size(), 1U);
  const auto& table = json["tables"][0];
  EXPECT_EQ(table["name"], "spam if p ≥ 0.97");
  EXPECT_EQ(table["ham_as_ham"], 198);
  EXPECT_EQ(table["ham_as_spam"], 2);
  EXPECT_EQ(table["spam_as_ham"], 10);
  EXPECT_EQ(table["spam_as_spam"], 90);
  EXPECT_EQ(table["unsure"]["spam"], 7);
  EXPECT_EQ(table["hm_percent"]["value"], 1.0);
  EXPECT_EQ(table["sm_percent"]["high"], MisclassificationRate(10, 100)->high);
  EXPECT_EQ(table["lam_percent"]["value"], LogisticAverageMisclassification(Tabulate(outcomes))->value);
  EXPECT_EQ(table["f1"], *F1(Tabulate(outcomes)));
  EXPECT_EQ(json["roc_area_above_percent"]["low"], RocAreaAbove(Rank(outcomes), IntervalOptions())->low);
  ASSERT_EQ(json["operating_points"].size(), 3U);
  EXPECT_EQ(json["operating_points"][1]["hm_percent"], 0.1);
  EXPECT_EQ(json["operating_points"][1]["sm_percent"], *SpamMisclassificationAt(Rank(outcomes), 0.1));
  EXPECT_TRUE(json["probabilities"].is_null());
}

TEST(SummaryAsJson, IsNullWhereAFigureIsNotDefined) {
  const auto json = ToJson(Summarise({{"empty", {}}}, {}));
  EXPECT_TRUE(json["roc_area_above_percent"].is_null());
  EXPECT_TRUE(json["operating_points"][0]["sm_percent"].is_null());
  EXPECT_TRUE(json["tables"][0]["hm_percent"].is_null());
  EXPECT_TRUE(json["tables"][0]["lam_percent"].is_null());
}

}  // namespace
}  // namespace thresher::eval

// What is in the file; that it draws is for tests/pipeline/trec/browser_test.cc.
#include "eval/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

namespace thresher::eval {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<Outcome> SomeOutcomes(size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution normal;
  std::vector<Outcome> outcomes(count);
  for (Outcome& outcome : outcomes) {
    outcome.judged_spam = random() % 2 == 0;
    outcome.score = normal(random) + (outcome.judged_spam ? 1 : -1);
    outcome.called_spam = outcome.score > 1;
    outcome.probability = 1 / (1 + std::exp(-2 * outcome.score));
  }
  return outcomes;
}

HtmlRun SomeRun(const std::string& name, size_t count = 500) {
  const std::vector<Outcome> outcomes = SomeOutcomes(count);
  return DrawRun(name, Summarise({{"verdicts", Tabulate(outcomes)}}, outcomes), outcomes);
}

// The JSON between the tags that hold it, as a browser finds it.
nlohmann::json DataOf(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const size_t from = html.find(begin) + begin.size();
  return nlohmann::json::parse(html.substr(from, html.find("</script", from) - from));
}

class HtmlReport : public testing::Test {
 protected:
  void SetUp() override {
    if (!CanFormatHtml()) GTEST_SKIP() << "built with THRESHER_HTML=OFF";
  }
};

TEST_F(HtmlReport, HoldsFiguresAndPlotsAndNothingFromElsewhere) {
  const std::vector<HtmlRun> runs = {SomeRun("a"), SomeRun("b")};
  const std::vector<HtmlComparison> pairs = {{"a", "b", Compare(SomeOutcomes(500), SomeOutcomes(500))}};
  const std::string html = FormatHtml(runs, pairs);
  const auto data = DataOf(html);
  EXPECT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["summary"]["messages"], 500);
  EXPECT_EQ(data["runs"][0]["summary"]["curve"].size(), 100U);
  EXPECT_GT(data["runs"][0]["roc"].size(), 20U);
  EXPECT_EQ(data["comparisons"][0]["messages"], 500);
  EXPECT_THAT(html, HasSubstr("Chart.js"));
  EXPECT_THAT(html, HasSubstr("Permission is hereby granted"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("{{")));
  const std::string page = html.substr(0, html.find("<script>"));
  for (const char* elsewhere : {" src=", "href=", "@import", "url(", "fetch("})
    EXPECT_EQ(page.find(elsewhere), std::string::npos) << elsewhere;
}

TEST_F(HtmlReport, HasThresholdsUnsureAndTheWorstErrors) {
  const std::vector<Outcome> outcomes = SomeOutcomes(100);
  HtmlRun run = DrawRun(
      "a", Summarise({{"verdicts", Tabulate(outcomes), NamedTable::Unsure{3, 4}}}, outcomes), outcomes);
  run.thresholds = {{"ham up to p = 0.2", -1}, {"spam from p = 0.97", 2}};
  for (const Outcome& outcome : outcomes) run.worst.Add("path", outcome);
  run.worst.Add("worst", {.judged_spam = false, .called_spam = true, .score = 99});
  const auto data = DataOf(FormatHtml(std::vector{run}, {}))["runs"][0];
  EXPECT_EQ(data["summary"]["tables"][0]["unsure"]["spam"], 4);
  EXPECT_EQ(data["thresholds"][1]["label"], "spam from p = 0.97");
  EXPECT_EQ(data["thresholds"][1]["score"], 2);
  ASSERT_EQ(data["worst_ham"].size(), 20U);
  ASSERT_EQ(data["worst_spam"].size(), 20U);
  EXPECT_EQ(data["worst_ham"][0]["path"], "worst");
  EXPECT_EQ(data["worst_ham"][0]["is_wrong"], true);
  EXPECT_TRUE(data["worst_ham"][0]["probability"].is_null());
  EXPECT_TRUE(data["worst_spam"][0]["probability"].is_number());
}

// A figure's name in a table links to its explanation further down.
TEST_F(HtmlReport, ExplainsTheFiguresItLinksTo) {
  const std::string html = FormatHtml(std::vector{SomeRun("a")}, {});
  size_t links = 0;
  for (size_t at = html.find("term('"); at != std::string::npos; at = html.find("term('", at + 1), ++links) {
    const std::string id = html.substr(at + 6, html.find('\'', at + 6) - at - 6);
    EXPECT_THAT(html, HasSubstr("<dt id=\"" + id + "\">"));
  }
  EXPECT_GT(links, 10U);
}

TEST_F(HtmlReport, NamesAreNeverMarkup) {
  const std::string hostile = "</script><script>alert(1)</script><!-- {{plots}} \xff \" ' & \\";
  HtmlRun run = SomeRun(hostile);
  run.about = hostile;
  run.summary.grouped_by = "user";
  run.summary.groups = {{hostile, {}}};
  const std::string html = FormatHtml(std::vector{run}, {});
  EXPECT_THAT(html, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(html, Not(HasSubstr("<!--")));
  const std::string seen = DataOf(html)["runs"][0]["name"];
  EXPECT_THAT(seen, testing::StartsWith("</script><script>alert(1)</script><!-- {{plots}} "));
  EXPECT_THAT(seen, testing::EndsWith(" \" ' & \\"));
}

TEST_F(HtmlReport, ManyMessagesPointsAndGroupsMakeNoLargeFile) {
  const size_t small = FormatHtml(std::vector{SomeRun("a", 5'000)}, {}).size();
  const std::vector<Outcome> outcomes = SomeOutcomes(300'000);
  Summary summary = Summarise({{"verdicts", Tabulate(outcomes)}}, outcomes);
  summary.curve = LearningCurve(outcomes, EvenEnds(300'000, 50'000), 0);
  for (int i = 0; i < 5'000; ++i) summary.groups.push_back({"user" + std::to_string(i), {}});
  const HtmlRun run = DrawRun("a", summary, outcomes);
  EXPECT_EQ(run.groups_left_out, 4'800U);
  EXPECT_EQ(run.summary.curve.size(), 500U);
  EXPECT_EQ(run.summary.curve.back().messages, 300'000U);
  EXPECT_LT(FormatHtml(std::vector{run}, {}).size(), small + 600'000);
}

TEST_F(HtmlReport, MessagesWithoutAnOrderHaveNoCurve) {
  const std::vector<Outcome> outcomes = SomeOutcomes(100);
  const Summary summary = Summarise({{"verdicts", Tabulate(outcomes)}}, outcomes);
  EXPECT_FALSE(DrawRun("a", summary, outcomes).summary.curve.empty());
  EXPECT_TRUE(DrawRun("a", summary, outcomes, MessageOrder::kNone).summary.curve.empty());
}

TEST_F(HtmlReport, StandsWhatIsNotDefined) {
  const std::vector<Outcome> ham(3);
  const auto data =
      DataOf(FormatHtml(std::vector{DrawRun("ham", Summarise({{"verdicts", Tabulate(ham)}}, ham), ham)}, {}));
  EXPECT_TRUE(data["runs"][0]["summary"]["roc_area_above_percent"].is_null());
}

}  // namespace
}  // namespace thresher::eval

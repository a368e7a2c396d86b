// Labels that the other examples contradict: against a dense twin, in every order, and as a user sees them.
#include "pipeline/fit/doubt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "learners/batch/draw_order.h"
#include "learners/registry.h"
#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr uint64_t kFeatures = 40;

struct Plain {
  std::array<float, kFeatures> x = {};
  float target = 1;
};

// Features below 20 are of spam, the others of ham; every fifth is of both.
std::vector<Plain> DrawExamples(size_t count, std::mt19937_64& random) {
  std::vector<Plain> examples(count);
  for (Plain& example : examples) {
    example.target = random() % 3 == 0 ? 1.0F : -1.0F;
    for (int k = 0; k < 6; ++k) {
      const uint64_t feature = random() % 20 + (example.target > 0 ? 0 : 20);
      example.x[feature] = 1;
      example.x[5 * (random() % 8)] = 1;
    }
  }
  return examples;
}

ExampleStore StoreOf(const std::vector<Plain>& examples) {
  auto store = ExampleStore::Make();
  std::vector<uint64_t> all(kFeatures);
  for (uint64_t feature = 0; feature < kFeatures; ++feature) all[feature] = feature;
  for (const Plain& example : examples) {
    std::vector<float> values(example.x.begin(), example.x.end());
    EXPECT_TRUE(store->Add(all, values, example.target).has_value());
  }
  EXPECT_TRUE(store->Finish().has_value());
  return *std::move(store);
}

std::shared_ptr<const learners::Learner> PlainGradientDescent() {
  return *learners::MakeLearner("lazy-sgd",
                                {{"learning_rate", "0.25"}, {"l1", "0"}, {"l2", "0"}, {"min_gradient", "0"}});
}

double Margin(const std::array<double, kFeatures>& weights, const Plain& example) {
  double margin = 0;
  for (size_t j = 0; j < kFeatures; ++j) margin += weights[j] * static_cast<double>(example.x[j]);
  return margin;
}

// The margins of all examples by those of the other folds that are not left out.
std::vector<double> TwinMargins(const std::vector<Plain>& examples, const std::vector<bool>& left_out) {
  std::vector<uint32_t> folds;
  uint32_t ham = 0;
  uint32_t spam = 0;
  folds.reserve(examples.size());
  for (const Plain& example : examples) folds.push_back((example.target > 0 ? spam++ : ham++) % kDoubtFolds);
  const auto order =
      learners::batch::EpochOrder(learners::batch::DrawOrder::kPermuted, examples.size(), 1, 0);
  std::vector<double> margins(examples.size());
  for (uint32_t fold = 0; fold < kDoubtFolds; ++fold) {
    std::array<double, kFeatures> weights = {};
    for (const uint32_t i : order) {
      if (folds[i] == fold || left_out[i]) continue;
      const auto y = static_cast<double>(examples[i].target);
      const double step = 0.25 * y / (1 + std::exp(y * Margin(weights, examples[i])));
      for (size_t j = 0; j < kFeatures; ++j) weights[j] += step * static_cast<double>(examples[i].x[j]);
    }
    for (size_t i = 0; i < examples.size(); ++i) {
      if (folds[i] == fold) margins[i] = Margin(weights, examples[i]);
    }
  }
  return margins;
}

TEST(FindDoubts, JudgesEachExampleByTheOthers) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<Plain> examples = DrawExamples(120, random);
    for (int wrong = 0; wrong < 8; ++wrong) {
      Plain& example = examples[random() % examples.size()];
      example.target = -example.target;
    }
    std::vector<bool> left_out(examples.size(), false);
    std::vector<double> margins = TwinMargins(examples, left_out);
    for (size_t i = 0; i < examples.size(); ++i)
      left_out[i] = margins[i] * static_cast<double>(examples[i].target) < 0;
    margins = TwinMargins(examples, left_out);

    const ExampleStore store = StoreOf(examples);
    const auto doubts = FindDoubts(store, PlainGradientDescent(), 3, {}).value();
    std::set<size_t> doubted;
    for (size_t k = 0; k < doubts.size(); ++k) {
      const Doubt& doubt = doubts[k];
      doubted.insert(doubt.row);
      EXPECT_NEAR(doubt.margin, margins[doubt.row], 1e-9);
      EXPECT_LE(std::abs(doubt.margin), std::abs(doubts[k == 0 ? 0 : k - 1].margin));
      for (const Doubt::Feature& feature : doubt.against)
        EXPECT_LT(feature.contribution * static_cast<double>(examples[doubt.row].target), 0);
    }
    for (size_t i = 0; i < examples.size(); ++i)
      EXPECT_EQ(doubted.contains(i), margins[i] * static_cast<double>(examples[i].target) < 0) << i;
  }
}

TEST(FindDoubts, FindsWrongLabelsInAnArchiveSortedByClass) {
  std::mt19937_64 random(2);
  std::vector<Plain> examples = DrawExamples(400, random);
  constexpr size_t kWrong = 8;
  for (size_t i = 0; i < kWrong; ++i) examples[i].target = -examples[i].target;
  std::vector<std::pair<Plain, bool>> marked;
  for (size_t i = 0; i < examples.size(); ++i) marked.emplace_back(examples[i], i < kWrong);
  for (const bool spam_first : {true, false}) {
    std::stable_sort(marked.begin(), marked.end(), [&](const auto& a, const auto& b) {
      return spam_first ? a.first.target > b.first.target : a.first.target < b.first.target;
    });
    std::vector<Plain> sorted;
    sorted.reserve(marked.size());
    for (const auto& [example, wrong] : marked) sorted.push_back(example);
    const ExampleStore store = StoreOf(sorted);
    for (const auto& spec : learners::AllLearners()) {
      const auto doubts =
          FindDoubts(store, *learners::MakeLearner(std::string(spec.name), {}), 1, {}).value();
      ASSERT_GE(doubts.size(), kWrong) << spec.name;
      size_t found = 0;
      for (size_t k = 0; k < kWrong; ++k) found += marked[doubts[k].row].second ? 1 : 0;
      EXPECT_GE(found, kWrong - 1) << spec.name;
    }
  }
}

class DoubtCommand : public StoreFixture {
 protected:
  void LearnMany(int count) const {
    Learn("--spam", Mailbox(count, SpamMessage));
    Learn("--ham", Mailbox(count, HamMessage));
  }
};

TEST_F(DoubtCommand, ListsWhatCorrectsTheLabels) {
  LearnMany(20);
  Learn("--ham", SpamMessage(100));
  Learn("--spam", HamMessage(100));
  Learn("--spam", HamMessage(101), "ann");
  const Ran ran = Run({"doubt"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("3 of 43 messages have a label that the others contradict"),
                             HasSubstr("taught as ham on "), HasSubstr(" against ham: "),
                             HasSubstr("--spam --id '<spam100@pills.example>' --key "),
                             HasSubstr("--user ann --ham --id '<ham101@example.org>' --key ")));
  const auto json = nlohmann::json::parse(Run({"doubt", "--json", "--top", "1", "--user", "ann"}).out);
  EXPECT_EQ(json.at("doubted"), 1);
  EXPECT_EQ(json.at("listed").at(0).at("message_id"), "ham101@example.org");
  EXPECT_EQ(json.at("listed").at(0).at("against").size(), 5U);

  const Ran nobodys = Run({"doubt", "--list"});
  EXPECT_EQ(nobodys.err, "thresher: 1 more is of 1 named user: doubt --user NAME --list\n");
  EXPECT_THAT(Run({"feedback", "--list", "-"}, nobodys.out).out, HasSubstr("2 corrected"));
  const Ran anns =
      Run({"feedback", "--user", "ann", "--list", "-"}, Run({"doubt", "--list", "--user", "ann"}).out);
  EXPECT_THAT(anns.out, HasSubstr("1 corrected"));
  EXPECT_EQ(Run({"doubt", "--list", "--user", "ann"}).err, "");
  EXPECT_THAT(Run({"doubt"}).out, HasSubstr("0 of 43 messages"));  // the last label counts
  EXPECT_THAT(Run({"doubt", "--list"}).out, IsEmpty());
}

TEST_F(DoubtCommand, CountsOneAsOne) {
  LearnMany(20);
  Learn("--ham", SpamMessage(100));
  EXPECT_THAT(Run({"doubt"}).out, StartsWith("1 of 41 messages has a label that the others contradict\n"));
  EXPECT_THAT(Run({"doubt", "--user", "ann"}).out,
              StartsWith("no label of ann's is in doubt; those of all users were judged, 41\n"));
  Learn("--spam", HamMessage(101), "ann");
  EXPECT_THAT(Run({"doubt", "--user", "ann"}).out,
              StartsWith("1 message of ann has a label that the others contradict; those of all users "));
  EXPECT_THAT(Run({"doubt", "--top", "1"}).out,
              StartsWith("2 of 42 messages have a label that the others contradict; the most doubtful\n"));
  Learn("--spam", HamMessage(102), "ben");
  EXPECT_EQ(Run({"doubt", "--list"}).err,
            "thresher: 2 more are of 2 named users: doubt --user NAME --list\n");
}

TEST_F(DoubtCommand, NeedsBothClasses) {
  EXPECT_EQ(Run({"doubt"}).exit_code, kNoInput);
  Learn("--spam", Mailbox(6, SpamMessage));
  Learn("--ham", Mailbox(4, HamMessage));
  const Ran ran = Run({"doubt"});
  EXPECT_EQ(ran.exit_code, kData);
  EXPECT_THAT(ran.err, HasSubstr("at least 5 messages of each class: the log has 4 ham and 6 spam"));
  Learn("--ham", HamMessage(4));
  EXPECT_EQ(Run({"doubt"}).exit_code, 0);
}

}  // namespace
}  // namespace thresher::pipeline

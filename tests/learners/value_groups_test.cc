// Groups of features with one value, and what the learners that use them learn from a group.
#include "learners/ftrl/value_groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "tests/learners/learner_test.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

// Thirty strong features tell the class, and thirty weak ones tell it as well. `others` more have other
// values, next to nothing. What the weak ones tell alone after that:
double MarginOfWeakFeatures(std::string_view learner, OptionValues options, uint64_t others) {
  options["significance"] = "0";
  TestModel model(MakeShared(learner, options));
  Example weak;
  for (uint64_t step = 0; step < 60; ++step) {
    Example example;
    weak = {};
    const uint64_t spam = step % 2;
    example.label = spam == 1 ? Label::kSpam : Label::kHam;
    for (uint64_t j = 0; j < 30; ++j) {
      example.ids.push_back(2 * j + spam);
      example.values.push_back(0.2F);
      weak.ids.push_back(1000 + 2 * j + spam);
      weak.values.push_back(0.05F);
    }
    example.ids.insert(example.ids.end(), weak.ids.begin(), weak.ids.end());
    example.values.insert(example.values.end(), weak.values.begin(), weak.values.end());
    for (uint64_t other = 1; other <= others; ++other) {
      example.ids.push_back(2000 + other);
      example.values.push_back(1e-6F * static_cast<float>(other));
    }
    model.Learn(example);
  }
  return model.Score(weak);
}

void ExpectGroupsToLearn(std::string_view learner, const OptionValues& options) {
  const double together = MarginOfWeakFeatures(learner, options, 7);  // nine values: no groups
  EXPECT_GT(together, 0);
  EXPECT_GT(MarginOfWeakFeatures(learner, options, 0), 1.1 * together);
}

TEST(ValueGroups, LearnWhatAnotherOneTellsAlready) {
  ExpectGroupsToLearn("adaptive-ftrl", {});
  ExpectGroupsToLearn("ftrl", {{"own_part", "0.5"}});
  EXPECT_NEAR(MarginOfWeakFeatures("ftrl", {}, 0), MarginOfWeakFeatures("ftrl", {}, 7), 1e-3);
}

// A correction undoes the mistake of each group: with or without groups, the same.
TEST(ValueGroups, ACorrectionIsThatOfOneMargin) {
  const auto weights_after = [](const OptionValues& options) {
    TestModel model(MakeShared("ftrl", options));
    Example example{.ids = {}, .values = {}, .label = Label::kSpam};
    for (uint64_t id = 0; id < 80; ++id) {
      example.ids.push_back(id);
      example.values.push_back(id % 2 == 0 ? 0.1F : 0.05F);
    }
    for (int step = 0; step < 3; ++step) model.Learn(example);
    example.label = Label::kHam;
    const TestModel before = model;
    model.LearnWithMargin(example, model.learner().MarginOfMistake(Label::kHam), Occasion::kAgain);
    std::vector<double> moved;
    for (const uint64_t id : example.ids) moved.push_back(model.Weight(id) - before.Weight(id));
    return moved;
  };
  const OptionValues plain = {{"significance", "0"}, {"alpha", "0.01"}};
  OptionValues in_groups = plain;
  in_groups["own_part"] = "1";
  const std::vector<double> want = weights_after(plain);
  const std::vector<double> got = weights_after(in_groups);
  ASSERT_LT(want[0], 0);
  for (size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 0.05 * std::abs(want[i])) << i;
}

TEST(ValueGroups, AreTheFeaturesOfOneValue) {
  ValueGroups groups;
  for (const double value : {0.5, 0.25, 0.5, 0.5}) groups.Add(value);
  EXPECT_EQ(groups.size(), 2U);
  EXPECT_NE(groups.PlaceOf(0.5), groups.PlaceOf(0.25));
  EXPECT_DOUBLE_EQ(groups.OwnPart(groups.PlaceOf(0.5), 0.4), 0.4 * 3 / 33);
  EXPECT_DOUBLE_EQ(groups.OwnPart(groups.PlaceOf(0.25), 0.4), 0.4 * 1 / 31);
}

TEST(ValueGroups, OneValueOrManyAreNoGroups) {
  ValueGroups one;
  EXPECT_EQ(one.size(), 0U);
  for (int i = 0; i < 100; ++i) one.Add(0.5);
  EXPECT_EQ(one.OwnPart(one.PlaceOf(0.5), 1), 0);
  ValueGroups many;
  for (int i = 0; i < 8; ++i) many.Add(i);
  EXPECT_GT(many.OwnPart(many.PlaceOf(3), 1), 0);
  many.Add(8);
  EXPECT_EQ(many.OwnPart(many.PlaceOf(3), 1), 0);
  EXPECT_EQ(many.OwnPart(many.PlaceOf(8), 1), 0);
  EXPECT_EQ(many.PlaceOf(8), many.PlaceOf(9)) << "all others share a place";
}

}  // namespace
}  // namespace thresher::learners

// Groups of features with one value, and what the learners that use them learn from a group.
#include "learners/ftrl/value_groups.h"

#include <gtest/gtest.h>

#include <string_view>

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

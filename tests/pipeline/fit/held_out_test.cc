#include "pipeline/fit/held_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace thresher::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The simple twin: the rows of each class in a list, cut near its end.
HeldOut SimpleHoldOut(const std::vector<float>& targets, double share) {
  HeldOut split;
  for (const float target : {1.0F, -1.0F}) {
    std::vector<size_t> rows;
    for (size_t i = 0; i < targets.size(); ++i) {
      if (targets[i] == target) rows.push_back(i);
    }
    auto later = static_cast<size_t>(std::floor(static_cast<double>(rows.size()) * share));
    if (share > 0 && later == 0) later = 1;
    const auto cut = rows.end() - static_cast<std::ptrdiff_t>(later);
    split.earlier.insert(split.earlier.end(), rows.begin(), cut);
    split.later.insert(split.later.end(), cut, rows.end());
  }
  std::sort(split.earlier.begin(), split.earlier.end());
  std::sort(split.later.begin(), split.later.end());
  return split;
}

TEST(HeldOut, IsTheLatestShareOfEachClass) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<float> targets = {1, 1, -1, -1};
    const uint64_t of_ten_are_spam = random() % 11;
    for (uint64_t more = random() % 60; more > 0; --more)
      targets.push_back(random() % 10 < of_ten_are_spam ? 1 : -1);
    if (round % 3 == 0) std::sort(targets.begin(), targets.end());  // class by class
    if (round % 3 == 1) std::shuffle(targets.begin(), targets.end(), random);
    const double share = static_cast<double>(random() % 10) / 10;
    const auto split = HoldOut(targets, share);
    ASSERT_TRUE(split.has_value());
    const HeldOut expected = SimpleHoldOut(targets, share);
    EXPECT_EQ(split->earlier, expected.earlier);
    EXPECT_EQ(split->later, expected.later);
  }
}

TEST(HeldOut, EachPartHasBothClasses) {
  const std::vector<float> targets = {-1, -1, -1, -1, -1, -1, 1, 1};
  const auto split = HoldOut(targets, 0.2);
  EXPECT_THAT(split->earlier, ElementsAre(0, 1, 2, 3, 4, 6));
  EXPECT_THAT(split->later, ElementsAre(5, 7));
  EXPECT_THAT(HoldOut(targets, 0)->later, IsEmpty());
}

TEST(HeldOut, WhatProvesNothingIsNoTest) {
  const std::vector<float> targets = {-1, 1, -1, 1, 1, -1, -1, 1, 1};
  const std::vector<bool> no_test = {true, false, false, true, false, false, true, true, false};
  const auto split = HoldOut(targets, 0.5, no_test);
  ASSERT_TRUE(split.has_value());
  EXPECT_THAT(split->earlier, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(split->later, ElementsAre(5, 8));
  EXPECT_THAT(HoldOut(targets, 0.5, std::vector<bool>(9, true)).error().message,
              HasSubstr("not labelled by the model itself are 0 ham and 0 spam"));
}

TEST(HeldOut, OneClassIsRefused) {
  const std::vector<float> ham(5, -1);
  for (const double share : {0.0, 0.2}) {
    const auto split = HoldOut(ham, share);
    ASSERT_FALSE(split.has_value());
    EXPECT_EQ(split.error().exit_code, kData);
    EXPECT_THAT(split.error().message, HasSubstr("the examples are 5 ham and 0 spam"));
  }
  const std::vector<float> one_spam = {-1, 1, -1, -1};
  EXPECT_TRUE(HoldOut(one_spam, 0).has_value());
  EXPECT_THAT(HoldOut(one_spam, 0.2).error().message, HasSubstr("expected at least 2 of each class"));
  EXPECT_FALSE(HoldOut({}, 0.2).has_value());
}

TEST(HeldOut, OtherLabelsAreRefused) {
  const std::vector<float> targets = {1, -1, 3};
  EXPECT_THAT(HoldOut(targets, 0).error().message, HasSubstr("expected labels 1 and -1, found 3"));
}

}  // namespace
}  // namespace thresher::pipeline

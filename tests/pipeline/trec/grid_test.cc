#include "pipeline/trec/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thresher::pipeline {
namespace {

using testing::ElementsAre;

TEST(Combinations, AreTheProductOfTheValues) {
  const std::vector<std::string> vary = {"learner.options.l1=1e-6,1e-5", "thresholds.spam=0.8,0.9,1"};
  const auto all = Combinations(Settings(), vary);
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 6U);
  EXPECT_THAT(all->front().assignments, ElementsAre("learner.options.l1=1e-6", "thresholds.spam=0.8"));
  EXPECT_THAT(all->at(1).assignments, ElementsAre("learner.options.l1=1e-6", "thresholds.spam=0.9"));
  EXPECT_EQ(all->at(1).settings.thresholds.spam, 0.9);
  EXPECT_EQ(Combinations(Settings(), {})->size(), 1U);
}

TEST(Combinations, TheLearnerComesBeforeItsOptions) {
  Settings settings;
  ASSERT_TRUE(settings.Assign("learner.options.beta=2"));
  const std::vector<std::string> vary = {"learner.options.l1=1e-6,1e-5", "learner.name=ftrl,adaptive-ftrl"};
  const auto all = Combinations(settings, vary);
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(all->at(i).settings.learner, i % 2 == 0 ? "ftrl" : "adaptive-ftrl");
    EXPECT_EQ(all->at(i).settings.learner_options.at("l1"), i < 2 ? "1e-6" : "1e-5");
    EXPECT_EQ(all->at(i).settings.learner_options.at("beta"), "2");
  }
}

TEST(Combinations, WrongOnesAreFoundBeforeAnythingRuns) {
  for (const char* wrong : {"l1", "=1", "learner.options.l1="}) {
    const auto all = Combinations(Settings(), std::vector<std::string>{wrong});
    ASSERT_FALSE(all) << wrong;
    EXPECT_EQ(all.error().exit_code, kUsage);
  }
  const std::string l1 = "learner.options.l1=";
  const auto twice = Combinations(Settings(), std::vector{l1 + "1", l1 + "2"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "--vary learner.options.l1: named twice; give all its values at once");
  for (const char* wrong :
       {"no.such=1", "learner.options.l1=1,x", "thresholds.spam=0.9,,1", "thresholds.spam=0.1"}) {
    const auto all = Combinations(Settings(), std::vector<std::string>{wrong});
    ASSERT_FALSE(all) << wrong;
    EXPECT_EQ(all.error().exit_code, kConfig) << wrong;
  }
}

TEST(Combinations, MoreThanAnybodyWaitsForAreRefused) {
  std::string many = "1";
  for (int i = 2; i <= 100; ++i) many += "," + std::to_string(i);
  std::vector<std::string> vary = {"learner.options.l1=" + many, "learner.options.l2=" + many};
  EXPECT_EQ(Combinations(Settings(), vary)->size(), 10'000U);
  vary.emplace_back("learner.options.beta=1,2");
  const auto all = Combinations(Settings(), vary);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().exit_code, kUsage);
}

GridPoint Point(uint64_t nonzeros, std::optional<double> area) {
  GridPoint point;
  point.nonzeros = nonzeros;
  point.roc_area_above = area;
  return point;
}

// Compares with the definition: no other point is at least as good in both and better in one.
TEST(SortByFrontier, MarksWhatNothingBeatsInBoth) {
  std::vector<GridPoint> points = {Point(50, 0.3),         Point(10, 0.5),           Point(50, 0.2),
                                   Point(10, 0.6),         Point(80, 0.2),           Point(90, 0.1),
                                   Point(5, std::nullopt), Point(100, std::nullopt), Point(50, 0.2)};
  SortByFrontier(&points);
  for (size_t i = 1; i < points.size(); ++i) EXPECT_LE(points[i - 1].nonzeros, points[i].nonzeros);
  for (const GridPoint& point : points) {
    bool beaten = !point.roc_area_above;
    for (const GridPoint& other : points) {
      if (!other.roc_area_above || !point.roc_area_above) continue;
      const bool as_good = other.nonzeros <= point.nonzeros && *other.roc_area_above <= *point.roc_area_above;
      const bool better = other.nonzeros < point.nonzeros || *other.roc_area_above < *point.roc_area_above;
      beaten = beaten || (as_good && better);
    }
    EXPECT_EQ(point.on_frontier, !beaten) << point.nonzeros;
  }
}

}  // namespace
}  // namespace thresher::pipeline

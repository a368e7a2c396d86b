#include "pipeline/fit/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

// Feature 0 shows the class, the others are noise.
ExampleStore NoisyExamples(size_t count, float scale = 1) {
  std::mt19937_64 random(1);
  auto store = ExampleStore::Make();
  for (size_t i = 0; i < count; ++i) {
    const float target = random() % 2 == 0 ? 1 : -1;
    std::vector<uint64_t> ids = {0};
    std::vector<float> values = {scale * (random() % 10 == 0 ? -target : target)};
    for (uint64_t id = 1; id < 40; ++id) {
      if (random() % 4 != 0) continue;
      ids.push_back(id);
      values.push_back(scale * (static_cast<float>(random() % 3) - 1));
    }
    EXPECT_TRUE(store->Add(ids, values, target).has_value());
  }
  EXPECT_TRUE(store->Finish().has_value());
  return *std::move(store);
}

PathOptions EightPoints() {
  PathOptions options;
  options.fit.solver = "scd";
  options.fit.options = {{"l1", "0.0005"}};
  options.fit.gap = 1e-6;
  options.points = 8;
  return options;
}

TEST(Path, BeginsWithNothingAndEndsAtTheSolversPenalty) {
  const ExampleStore examples = NoisyExamples(300);
  size_t calls = 0;
  const auto path = FitPath(examples, EightPoints(), [&](const PathPoint&) { ++calls; });
  ASSERT_TRUE(path.has_value()) << path.error().message;
  ASSERT_EQ(path->size(), 8U);
  EXPECT_EQ(calls, 8U);
  EXPECT_EQ(path->front().fit.progress.nonzeros, 0U);
  EXPECT_EQ((*path)[1].fit.progress.nonzeros, 1U);  // feature 0
  EXPECT_LT((*path)[1].test->error, 0.2);
  EXPECT_NEAR(path->back().l1, 0.0005, 1e-12);
  EXPECT_GT(path->back().fit.progress.nonzeros, 20U);
  for (size_t k = 1; k < path->size(); ++k) {
    EXPECT_LT((*path)[k].l1, (*path)[k - 1].l1);
    EXPECT_LT((*path)[k].fit.progress.primal, (*path)[k - 1].fit.progress.primal);
  }
}

// All weights are 0 in the first row, and with l1 a little below it one is not.
TEST(Path, BeginsAtTheLeastPenaltyThatTheBoundsLeave) {
  const ExampleStore examples = NoisyExamples(300);
  PathOptions bounded = EightPoints();
  bounded.fit.options["upper"] = "0";
  const auto path = FitPath(examples, bounded, {});
  const auto free = FitPath(examples, EightPoints(), {});
  ASSERT_TRUE(path.has_value() && free.has_value());
  EXPECT_LT(path->front().l1, free->front().l1);  // feature 0 may not speak for its class
  EXPECT_EQ(path->front().fit.progress.nonzeros, 0U);
  bounded.fit.options["l1"] = std::to_string(path->front().l1 * 0.98);
  bounded.points = 2;
  EXPECT_GT(FitPath(examples, bounded, {})->back().fit.progress.nonzeros, 0U);
}

TEST(Path, IsNotForClasses) {
  PathOptions options = EightPoints();
  options.fit.solver = "multiclass-sdca";
  options.fit.options = {{"l1", "0.001"}};
  EXPECT_THAT(FitPath(NoisyExamples(30), options, {}).error().message, HasSubstr("its labels are classes"));
}

TEST(Path, WarmStartsEndWhereColdOnesDo) {
  const ExampleStore examples = NoisyExamples(300);
  PathOptions options = EightPoints();
  options.held_out = 0;
  const auto path = FitPath(examples, options, {});
  const auto cold = Fit(examples, options.fit);
  EXPECT_NEAR(path->back().fit.progress.primal, cold->points.back().progress.primal, 1e-6);
  EXPECT_LT(path->back().fit.progress.data_accesses, cold->points.back().progress.data_accesses);
}

TEST(Path, OfLargeValuesBeginsAtTheLargestPenalty) {
  const ExampleStore examples = NoisyExamples(300, 1e8F);
  PathOptions options = EightPoints();
  options.fit.options = {{"l1", "250000"}};
  options.fit.gap = 1e-2;
  options.points = 3;
  const auto path = FitPath(examples, options, {});
  ASSERT_TRUE(path.has_value()) << path.error().message;
  EXPECT_EQ(path->front().l1, 1e6);
  EXPECT_NEAR((*path)[1].l1, 5e5, 1e-6);
  EXPECT_NEAR(path->back().l1, 2.5e5, 1e-6);
  EXPECT_GT(path->front().fit.progress.nonzeros, 0U);
}

TEST(Path, SolversWithoutOneSaySo) {
  PathOptions options = EightPoints();
  options.fit.solver = "sgd";
  options.fit.options = {};
  EXPECT_THAT(FitPath(NoisyExamples(10), options, {}).error().message, HasSubstr("it has no l1"));
  options.fit.solver = "sdca";
  EXPECT_THAT(FitPath(NoisyExamples(10), options, {}).error().message, HasSubstr("an l1 above 0"));
}

}  // namespace
}  // namespace thresher::pipeline

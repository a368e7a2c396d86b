#include "pipeline/serve/weight_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace thresher::pipeline {
namespace {

using ::testing::UnorderedElementsAre;

std::vector<double> WeightsOf(const WeightSeries& series, uint64_t id) {
  std::vector<double> weights;
  for (const WeightSeries::Point& point : series.PointsOf(id)) weights.push_back(point.weight);
  return weights;
}

TEST(WeightSeriesTest, KeepsChangesOfWatchedTokens) {
  WeightSeries series;
  series.Watch(std::vector<uint64_t>{1, 2});
  EXPECT_THAT(series.watched(), UnorderedElementsAre(1, 2));
  const std::vector<uint64_t> ids = {1, 2, 3};
  series.Add(ids, std::vector<double>{0.5, -1, 7}, 10);
  series.Add(ids, std::vector<double>{0.5, -2, 7}, 20);
  EXPECT_EQ(WeightsOf(series, 1), (std::vector<double>{0.5}));
  EXPECT_EQ(WeightsOf(series, 2), (std::vector<double>{-1, -2}));
  EXPECT_EQ(series.PointsOf(2).back().time, 20);
  EXPECT_TRUE(series.PointsOf(3).empty());
}

TEST(WeightSeriesTest, DropsTokensThatNobodyLooksAt) {
  WeightSeries series;
  std::vector<uint64_t> ids(WeightSeries::kMostTokens);
  std::iota(ids.begin(), ids.end(), uint64_t{100});
  series.Watch(ids);
  series.Watch(std::vector<uint64_t>{100});  // looked at again
  series.Watch(std::vector<uint64_t>{1, 2, 3});
  const std::vector<uint64_t> watched = series.watched();
  EXPECT_EQ(watched.size(), WeightSeries::kMostTokens);
  EXPECT_THAT(watched, testing::IsSupersetOf({1, 2, 3, 100, 104}));
  EXPECT_THAT(watched, testing::Not(testing::AnyOf(testing::Contains(101), testing::Contains(103))));
}

TEST(WeightSeriesTest, ThinsLongSeries) {
  WeightSeries series;
  const std::vector<uint64_t> id = {1};
  series.Watch(id);
  constexpr int kMany = 5000;
  for (int i = 0; i < kMany; ++i) series.Add(id, std::vector<double>{static_cast<double>(i)}, i);
  const auto points = series.PointsOf(1);
  EXPECT_LE(points.size(), WeightSeries::kMostPoints);
  EXPECT_GT(points.size(), WeightSeries::kMostPoints / 3);
  EXPECT_EQ(points.front().time, 0);
  EXPECT_EQ(points.back().time, kMany - 1);
}

}  // namespace
}  // namespace thresher::pipeline

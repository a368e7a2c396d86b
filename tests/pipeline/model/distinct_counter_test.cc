#include "pipeline/model/distinct_counter.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <unordered_set>
#include <vector>

namespace thresher::pipeline {
namespace {

TEST(DistinctCounter, IsWithinFiveStandardErrorsOfTheTruth) {
  for (const size_t count : {0u, 1u, 10u, 1000u, 20000u, 1000000u}) {
    std::mt19937_64 random(count + 1);
    std::unordered_set<uint64_t> truth;
    DistinctCounter counter;
    while (truth.size() < count) {
      const uint64_t id = random();
      truth.insert(id);
      counter.Add(std::vector<uint64_t>{id, id});
    }
    EXPECT_NEAR(counter.Estimate(), static_cast<double>(count),
                5 * 0.01625 * static_cast<double>(count) + 0.5);
  }
}

TEST(DistinctCounter, AddingAgainChangesNothing) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> ids(5000);
  for (uint64_t& id : ids) id = random();
  DistinctCounter once;
  once.Add(ids);
  DistinctCounter twice = once;
  twice.Add(ids);
  EXPECT_EQ(std::memcmp(&once, &twice, sizeof once), 0);
}

TEST(Approximately, KeepsTwoDigits) {
  EXPECT_EQ(Approximately(0), "≈0");
  EXPECT_EQ(Approximately(99.2), "≈99");
  EXPECT_EQ(Approximately(99.8), "≈100");
  EXPECT_EQ(Approximately(86499), "≈86000");
  EXPECT_EQ(Approximately(1.449e7), "≈14000000");
}

}  // namespace
}  // namespace thresher::pipeline

// Catching up: a leap is the steps it stands for, and a bounded history is near the whole one.
#include "learners/barrier_history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace thresher::learners {
namespace {

struct PastStep {
  double length;
  double barrier;
  double penalty;
};

// Every step for itself.
Coordinate Replayed(Coordinate at, const std::vector<PastStep>& steps, size_t from) {
  for (size_t i = from; i < steps.size(); ++i) {
    for (Bounded& side : at.sides) {
      side = side.Moved(side.Towards(-steps[i].penalty, steps[i].barrier), steps[i].length);
    }
  }
  return at;
}

double Distance(const Coordinate& one, const Coordinate& other) {
  double largest = 0;
  for (size_t i = 0; i < 2; ++i) {
    const double size = other.sides[i].b + other.sides[i].z;
    largest = std::max(largest, std::abs(one.sides[i].b - other.sides[i].b) / size);
    largest = std::max(largest, std::abs(one.sides[i].z - other.sides[i].z) / size);
  }
  return largest;
}

constexpr Coordinate kStart = {.sides = {{{.b = 1.5, .z = 0.2}, {.b = 0.1, .z = 0.7}}}};

// The distance, after all `steps`, of coordinates that were last touched before step 0, 1, 2, 4, …
double LargestDistance(const std::vector<PastStep>& steps) {
  BarrierHistory history;
  std::vector<double> clocks;
  for (const PastStep& step : steps) {
    clocks.push_back(history.now());
    history.Append(step.length, step.barrier, step.penalty);
  }
  double largest = 0;
  for (size_t from = 0; from < steps.size(); from = 2 * from + 1) {
    const Coordinate caught_up = history.CaughtUp(kStart, clocks[from]);
    largest = std::max(largest, Distance(caught_up, Replayed(kStart, steps, from)));
  }
  return largest;
}

TEST(BarrierHistory, UpToThreeEqualStepsAreExact) {
  for (const size_t n : {1, 2, 3}) {
    EXPECT_LT(LargestDistance(std::vector<PastStep>(n, {0.04, 0.3, 0.2})), 1e-15) << n;
    EXPECT_LT(LargestDistance(std::vector<PastStep>(n, {0.5, 0.3, 0.2})), 1e-15) << n;
  }
}

TEST(BarrierHistory, ALeapIsOfThirdOrder) {
  const auto error = [](double length) {
    return LargestDistance(std::vector<PastStep>(20, {length / 20, 0.3, 0.2}));
  };
  EXPECT_LT(error(0.12), 1e-5);
  EXPECT_NEAR(std::log2(error(0.12) / error(0.06)), 4, 0.3);  // of one leap
}

// Steps as the paper has them, the barrier falling as it does with σ = ½, the penalty as λ/t.
TEST(BarrierHistory, StaysNearTheWholeHistory) {
  for (const double offset : {1.0, 10.0, 1000.0}) {
    std::vector<PastStep> steps;
    for (int t = 0; t < 300000; ++t) {
      const double step = 1 / (1 + offset + t);
      steps.push_back({step, 0.5 * std::sqrt(offset / (offset + t)), 10 / (100.0 + t)});
    }
    EXPECT_LT(LargestDistance(steps), 2e-4) << offset;
  }
}

// So many blocks that most are merged; steps cut short, a barrier that jumps.
TEST(BarrierHistory, IsBoundedAndStaysInside) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution uniform(0.0, 1.0);
  for (const double longest : {0.01, 0.3, 0.99}) {
    BarrierHistory history;
    double barrier = 1;
    for (int t = 0; t < 30000; ++t) {
      history.Append(longest * (random() % 4 == 0 ? uniform(random) : 1), barrier, uniform(random));
      barrier = random() % 100 == 0 ? 1 : barrier * (1 - longest / 2);
      if (random() % 64 != 0) continue;
      const Coordinate caught_up = history.CaughtUp(kStart, history.now() * uniform(random));
      for (const Bounded& side : caught_up.sides) {
        ASSERT_GT(side.b, 0);
        ASSERT_GT(side.z, 0);
        ASSERT_LT(side.b, 1e3);
        ASSERT_LT(side.z, 1e3);
      }
    }
  }
}

TEST(BarrierHistory, StepsTooShortToBeSeenLeaveNoTrace) {
  BarrierHistory history;
  history.Append(0.5, 0.3, 0.2);
  history.Append(1e-30, 1e9, 1e9);
  EXPECT_EQ(history.now(), 0.5);
  EXPECT_LT(Distance(history.CaughtUp(kStart, 0), Replayed(kStart, {{0.5, 0.3, 0.2}}, 0)), 1e-15);
}

}  // namespace
}  // namespace thresher::learners

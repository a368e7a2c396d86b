// Bringing coordinates current: a long step equals the steps it replaces, and a bounded history is close to
// the whole one.
#include "learners/interior/barrier_history.h"

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

// Every step by itself.
Coordinate Replayed(Coordinate at, const std::vector<PastStep>& steps, size_t from) {
  for (size_t i = from; i < steps.size(); ++i) {
    for (BoundedVariable& side : at.sides) {
      side = side.Moved(side.StepFor(-steps[i].penalty, steps[i].barrier), steps[i].length);
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
    clocks.push_back(history.clock());
    history.Append(step.length, step.barrier, step.penalty);
  }
  double largest = 0;
  for (size_t from = 0; from < steps.size(); from = 2 * from + 1) {
    const Coordinate current = history.BringCurrent(kStart, clocks[from]);
    largest = std::max(largest, Distance(current, Replayed(kStart, steps, from)));
  }
  return largest;
}

TEST(BarrierHistory, UpToThreeEqualStepsAreExact) {
  for (const size_t n : {1U, 2U, 3U}) {
    EXPECT_LT(LargestDistance(std::vector<PastStep>(n, {0.04, 0.3, 0.2})), 1e-15) << n;
    EXPECT_LT(LargestDistance(std::vector<PastStep>(n, {0.5, 0.3, 0.2})), 1e-15) << n;
  }
}

TEST(BarrierHistory, LongStepsAreOfThirdOrder) {
  const auto error = [](double length) {
    return LargestDistance(std::vector<PastStep>(20, {length / 20, 0.3, 0.2}));
  };
  EXPECT_LT(error(0.12), 1e-5);
  EXPECT_NEAR(std::log2(error(0.12) / error(0.06)), 4, 0.3);  // the order of the local error
}

// Step lengths as in the paper; the barrier falls as with σ = ½, the penalty as λ/t.
TEST(BarrierHistory, IsCloseToTheWholeHistory) {
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
      const Coordinate current = history.BringCurrent(kStart, history.clock() * uniform(random));
      for (const BoundedVariable& side : current.sides) {
        ASSERT_GT(side.b, 0);
        ASSERT_GT(side.z, 0);
        ASSERT_LT(side.b, 1e3);
        ASSERT_LT(side.z, 1e3);
      }
    }
  }
}

TEST(BarrierHistory, StepsTooShortForTheClockChangeNothing) {
  BarrierHistory history;
  history.Append(0.5, 0.3, 0.2);
  history.Append(1e-30, 1e9, 1e9);
  EXPECT_EQ(history.clock(), 0.5);
  EXPECT_LT(Distance(history.BringCurrent(kStart, 0), Replayed(kStart, {{0.5, 0.3, 0.2}}, 0)), 1e-15);
}

}  // namespace
}  // namespace thresher::learners

// The tree, and the array of runs, against a plain sorted list.
#include "learners/magnitudes/magnitude_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "learners/magnitudes/ball_threshold.h"
#include "learners/magnitudes/magnitude_runs.h"
#include "learners/magnitudes/magnitudes.h"

namespace thresher::learners {
namespace {

using Twin = std::map<double, int32_t, std::greater<>>;

std::vector<MagnitudeRun> RunsOf(const Twin& twin) {
  std::vector<MagnitudeRun> runs;
  for (const auto& [value, copies] : twin) runs.push_back({.value = value, .copies = copies});
  return runs;
}

template <class Multiset>
void ExpectHolds(const Multiset& multiset, const Twin& twin) {
  Twin held;
  double last = HUGE_VAL;
  multiset.ForEachDescending([&](double value, int32_t copies) {
    EXPECT_LT(value, last);
    last = value;
    held[value] = copies;
    return true;
  });
  EXPECT_EQ(held, twin);
  double sum = 0;
  uint64_t count = 0;
  for (const auto& [value, copies] : twin) {
    sum += value * copies;
    count += static_cast<uint64_t>(copies);
  }
  EXPECT_EQ(multiset.distinct(), twin.size());
  EXPECT_EQ(multiset.count(), count);
  EXPECT_NEAR(multiset.sum(), sum, 1e-13 * sum);
}

// The last bit of sums and threshold tells one shape from another.
void ExpectSameBits(const MagnitudeTree& a, const MagnitudeTree& b, double radius) {
  EXPECT_EQ(std::bit_cast<uint64_t>(a.sum()), std::bit_cast<uint64_t>(b.sum()));
  EXPECT_EQ(std::bit_cast<uint64_t>(a.Threshold(0, radius)), std::bit_cast<uint64_t>(b.Threshold(0, radius)));
}

void Add(MagnitudeTree& tree, const MagnitudeRun& run) { tree.Apply(std::span(&run, 1)); }
void Remove(MagnitudeTree& tree, const MagnitudeRun& run) {
  Add(tree, {.value = run.value, .copies = -run.copies});
}

class RandomChanges {
 public:
  explicit RandomChanges(uint64_t seed) : random_(seed) {}

  MagnitudeRun New() {
    // Some from a small set, so that there are ties.
    const bool tie = random_() % 3 == 0;
    return {.value = shift_ + (tie ? 0.125 * static_cast<double>(1 + random_() % 8) : exponential_(random_)),
            .copies = static_cast<int32_t>(1 + random_() % 3)};
  }
  MagnitudeRun OneOf(const Twin& twin) {
    auto at = twin.begin();
    std::advance(at, static_cast<int64_t>(random_() % twin.size()));
    return {.value = at->first,
            .copies = static_cast<int32_t>(1 + random_() % static_cast<uint64_t>(at->second))};
  }
  uint64_t operator()(uint64_t below) { return random_() % below; }
  void Shift(double shift) { shift_ = shift; }

 private:
  std::mt19937_64 random_;
  std::exponential_distribution<double> exponential_;
  double shift_ = 0;
};

void RemoveFrom(Twin& twin, const MagnitudeRun& run) {
  twin[run.value] -= run.copies;
  if (twin[run.value] == 0) twin.erase(run.value);
}

TEST(MagnitudeTree, HoldsWhatItShouldThroughAnyChanges) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    RandomChanges random(seed);
    MagnitudeTree tree;
    Twin twin;
    double shift = 0;
    for (int change = 0; change < 1500; ++change) {
      if (twin.empty() || random(5) < 3) {
        const MagnitudeRun run = random.New();
        Add(tree, run);
        twin[run.value] += run.copies;
      } else {
        const MagnitudeRun run = random.OneOf(twin);
        Remove(tree, run);
        RemoveFrom(twin, run);
      }
      if (random(100) == 0 && !twin.empty()) {
        shift = random.OneOf(twin).value * (random(2) == 0 ? 1 : 0.9);
        tree.DropUpTo(shift);
        std::erase_if(twin, [&](const auto& entry) { return entry.first <= shift; });
        random.Shift(shift);
      }
      if (change % 100 == 0) ExpectHolds(tree, twin);
    }
    ExpectHolds(tree, twin);
  }
}

TEST(MagnitudeTree, IsAFunctionOfItsContent) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    RandomChanges random(seed);
    MagnitudeTree grown;
    Twin twin;
    for (int change = 0; change < 600; ++change) {
      const MagnitudeRun run = random.New();
      Add(grown, run);
      twin[run.value] += run.copies;
      if (random(3) != 0) continue;
      const MagnitudeRun gone = random.OneOf(twin);
      Remove(grown, gone);
      RemoveFrom(twin, gone);
    }
    std::vector<MagnitudeRun> runs = RunsOf(twin);
    MagnitudeTree assigned;
    assigned.Assign(runs);
    std::ranges::shuffle(runs, std::mt19937_64(seed));
    MagnitudeTree shuffled;
    for (const MagnitudeRun& run : runs) Add(shuffled, run);
    for (const double share : {0.001, 0.1, 0.5, 0.9}) {
      ExpectSameBits(grown, assigned, share * grown.sum());
      ExpectSameBits(grown, shuffled, share * grown.sum());
    }
  }
}

// Numbers at equal distances, as features of equal values leave them, must not make a degenerate tree: with
// one that is a list, this would take minutes.
TEST(MagnitudeTree, RegularNumbersAreNoWorseThanRandomOnes) {
  MagnitudeTree tree;
  for (int i = 1; i <= 200'000; ++i) Add(tree, {.value = 0x1p-20 * i, .copies = 1});
  for (int i = 1; i <= 200'000; i += 2) Remove(tree, {.value = 0x1p-20 * i, .copies = 1});
  EXPECT_EQ(tree.count(), 100'000U);
  EXPECT_EQ(tree.sum(), 0x1p-20 * 2 * (100'000.0 * 100'001 / 2));
}

template <class Multiset>
class MagnitudeBatches : public testing::Test {};
using TreeAndRuns = testing::Types<MagnitudeTree, MagnitudeRuns>;
TYPED_TEST_SUITE(MagnitudeBatches, TreeAndRuns);

TYPED_TEST(MagnitudeBatches, HoldWhatTheyShould) {
  for (const uint64_t most : {3U, 10U, 300U}) {
    RandomChanges random(most);
    TypeParam multiset;
    Twin twin;
    for (int batch = 0; batch < 300; ++batch) {
      Twin changes;
      for (uint64_t i = random(most); i-- > 0;) {
        const MagnitudeRun run = random.New();
        changes[run.value] += run.copies;
      }
      for (uint64_t i = twin.empty() ? 0 : random(most); i-- > 0;) {
        const MagnitudeRun run = random.OneOf(twin);
        changes.try_emplace(run.value, -run.copies);
      }
      for (const auto& [value, copies] : changes) {
        twin[value] += copies;
        if (twin[value] == 0) twin.erase(value);
      }
      multiset.Apply(RunsOf(changes));
      const double shift = twin.size() > 10 * most ? random.OneOf(twin).value : 0;
      multiset.DropUpTo(shift);
      std::erase_if(twin, [&](const auto& entry) { return entry.first <= shift; });
      ExpectHolds(multiset, twin);
    }
  }
}

// It goes from one form to the other as batches grow and shrink, and what is built from the same numbers in
// the same form goes on with the same bits.
TEST(Magnitudes, ChangesFormAndCanBeBuiltAnew) {
  RandomChanges random(3);
  Magnitudes all(/*is_tree=*/false);
  Twin twin;
  bool forms[2] = {};
  for (int batch = 0; batch < 400; ++batch) {
    const uint64_t size = batch % 100 < 50 ? 2000 : 1;
    for (uint64_t i = 0; i < size; ++i) {
      if (twin.size() > 1000 || (!twin.empty() && random(3) == 0)) {
        const double value = random.OneOf(twin).value;
        all.Remove(value);
        RemoveFrom(twin, {.value = value, .copies = 1});
      } else {
        const double value = random.New().value;
        all.Add(value);
        ++twin[value];
      }
    }
    all.Apply();
    forms[all.is_tree() ? 1 : 0] = true;
    if (batch % 10 != 9) continue;
    ExpectHolds(all, twin);
    Magnitudes anew(all.is_tree());
    for (const auto& [value, copies] : twin) {
      for (int32_t copy = 0; copy < copies; ++copy) anew.Add(value);
    }
    anew.Build();
    EXPECT_EQ(anew.is_tree(), all.is_tree());
    EXPECT_EQ(anew.sum(), all.sum());
    EXPECT_EQ(anew.Threshold(0, all.sum() / 3), all.Threshold(0, all.sum() / 3));
  }
  EXPECT_TRUE(forms[0] && forms[1]);
}

}  // namespace
}  // namespace thresher::learners

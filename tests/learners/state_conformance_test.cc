// How every learner of the registry must keep its state: rows and globals survive restarts, pruning and
// rebases to the bit, and damaged state is recognised.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "tests/learners/learner_test.h"

namespace thresher::learners {
namespace {

using StateConformance = LearnerTest;

TEST_P(StateConformance, RestartIsNoRestart) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel straight(draw.learner);
    TestModel restarted = straight;
    for (int step = 0; step < 300; ++step) {
      const Example example = draw.stream.Next();
      straight.Learn(example);
      restarted.Learn(example);
      if (draw.random() % 16 != 0) continue;
      auto reopened = RestoreLearner(draw.learner->Name(), draw.learner->OptionsText());
      ASSERT_TRUE(reopened.has_value()) << reopened.error();
      restarted = restarted.Reopened(std::move(*reopened));
    }
    EXPECT_EQ(straight.globals(), restarted.globals());
    EXPECT_EQ(straight.rows(), restarted.rows());
  });
}

TEST_P(StateConformance, PruningChangesNoLaterBit) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel keeping(draw.learner);
    TestModel dropping = keeping;
    for (int step = 0; step < 1500; ++step) {
      const Example example = draw.stream.Next();
      ASSERT_EQ(std::bit_cast<uint64_t>(keeping.Score(example)),
                std::bit_cast<uint64_t>(dropping.Score(example)));
      keeping.Learn(example);
      dropping.Learn(example);
      if (draw.random() % 8 == 0) dropping.Prune(0.7, draw.random);
    }
    EXPECT_EQ(keeping.globals(), dropping.globals());
    EXPECT_EQ(keeping.LiveRows(), dropping.LiveRows());
  });
}

TEST_P(StateConformance, RebaseChangesNoWeight) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 200; ++step) model.Learn(draw.stream.Next());
    TestModel rebased = model;
    rebased.Rebase();
    for (const auto& [id, row] : model.LiveRows()) EXPECT_EQ(model.Weight(id), rebased.Weight(id));
    const Example probe = draw.stream.Next();
    EXPECT_EQ(model.Score(probe), rebased.Score(probe));
  });
}

// What a score image and a live scorer rely on, which do not hold rows without weight.
TEST_P(StateConformance, OnlyAFeatureOfTheExampleGetsAWeight) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 500; ++step) {
      std::set<uint64_t> weightless;
      for (const auto& [id, row] : model.rows())
        if (model.Weight(id) == 0) weightless.insert(id);
      const Example example = draw.stream.Next();
      model.Learn(example);
      for (const uint64_t id : example.ids) weightless.erase(id);
      for (const uint64_t id : weightless) ASSERT_EQ(model.Weight(id), 0) << id << " in step " << step;
    }
  });
}

TEST_P(StateConformance, ZeroRowIsNeverSeen) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    const std::vector<std::byte> zero(draw.learner->RowBytes());
    for (int step = 0; step < 200; ++step) {
      model.Learn(draw.stream.Next());
      ASSERT_FALSE(draw.learner->IsLive(zero.data(), model.globals()));
      const double weight = draw.learner->Weight(zero.data(), model.globals());
      ASSERT_EQ(std::bit_cast<uint64_t>(weight), uint64_t{0});
    }
    for (const auto& [id, row] : model.rows()) {
      const bool has_weight = std::bit_cast<uint64_t>(model.Weight(id)) != 0;
      EXPECT_TRUE(model.IsLive(id) || !has_weight);
    }
  });
}

// The counts of a row that is not live are those of a row that was pruned.
TEST_P(StateConformance, TheRateOfAnotherRowIsNoWeight) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 50; ++step) model.Learn(draw.stream.Next());
    for (const auto& [id, row] : model.LiveRows()) {
      constexpr Counts kSome = {.ham = 1, .spam = 2};
      std::vector<std::byte> heir(draw.learner->RowBytes());
      std::memcpy(heir.data(), &kSome, sizeof kSome);
      draw.learner->TakeRate(heir.data(), row.data());
      EXPECT_EQ(draw.learner->Weight(heir.data(), model.globals()), 0);
      EXPECT_TRUE(draw.learner->IsSound(heir.data(), model.globals()));
      const bool has_counts = Learner::CountsOf(heir.data()).Any();
      EXPECT_NE(draw.learner->IsLive(heir.data(), model.globals()), has_counts);
    }
  });
}

// Learned state is sound; a row with a non-finite number anywhere is not.
TEST_P(StateConformance, TellsSoundStateFromDamaged) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    std::vector<std::byte> globals = model.globals();
    ASSERT_TRUE(draw.learner->AreGlobalsSound(globals));
    for (int step = 0; step < 300; ++step) model.Learn(draw.stream.Next());
    ASSERT_TRUE(draw.learner->AreGlobalsSound(model.globals()));
    for (const auto& [id, row] : model.rows()) {
      ASSERT_TRUE(draw.learner->IsSound(row.data(), model.globals()));
      for (size_t at = sizeof(Counts); at < row.size(); at += sizeof(double)) {
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -HUGE_VAL}) {
          std::vector<std::byte> damaged = row;
          std::memcpy(damaged.data() + at, &bad, sizeof bad);
          ASSERT_FALSE(draw.learner->IsSound(damaged.data(), model.globals())) << at;
        }
      }
    }
  });
}

void FlipABit(std::vector<std::byte>* bytes, std::mt19937_64& random) {
  (*bytes)[random() % bytes->size()] ^= std::byte(1U << random() % 8);
}

// Damaged state that still counts as sound causes no read out of bounds and no endless loop.
TEST_P(StateConformance, SoundStateCanBeUsed) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 100; ++step) model.Learn(draw.stream.Next());
    int sound = 0;
    for (int flip = 0; flip < 300; ++flip) {
      TestModel damaged = model;
      if (flip % 3 == 0) {
        auto row =
            std::next(model.rows().begin(), static_cast<ptrdiff_t>(draw.random() % model.rows().size()));
        std::vector<std::byte> bytes = row->second;
        FlipABit(&bytes, draw.random);
        damaged.SetRow(row->first, bytes);
      } else {
        std::vector<std::byte> globals = model.globals();
        FlipABit(&globals, draw.random);
        damaged.SetGlobals(globals);
      }
      const bool is_sound = draw.learner->AreGlobalsSound(damaged.globals()) &&
                            std::ranges::all_of(damaged.rows(), [&](const auto& row) {
                              return draw.learner->IsSound(row.second.data(), damaged.globals());
                            });
      if (!is_sound) continue;
      ++sound;
      for (const auto& [id, row] : damaged.rows()) ASSERT_TRUE(std::isfinite(damaged.Weight(id)));
      damaged.Learn(draw.stream.Next());
    }
    EXPECT_GT(sound, 0);
  });
}

// Recounts the updates since each feature's row last became live.
TEST_P(StateConformance, CountsUpdatesSinceTheRowBecameLive) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    std::map<uint64_t, std::pair<uint32_t, uint32_t>> recount;
    for (int step = 0; step < 400; ++step) {
      const Example example = draw.stream.Next();
      std::erase_if(recount, [&](const auto& entry) { return !model.IsLive(entry.first); });
      if (model.Learn(example).outcome != Outcome::kUpdated) continue;
      for (const uint64_t id : example.ids) {
        ++(example.label == Label::kHam ? recount[id].first : recount[id].second);
      }
      for (const auto& [id, counts] : recount) {
        if (!model.IsLive(id)) continue;
        ASSERT_EQ(model.CountsOf(id).ham, counts.first);
        ASSERT_EQ(model.CountsOf(id).spam, counts.second);
      }
    }
  });
}

TEST_P(StateConformance, CountsSaturate) {
  TestModel model(MakeShared(GetParam().name, {}));
  const Example example = {.ids = {1}, .values = {1}, .label = Label::kSpam};
  model.Learn(example);
  const Counts full = {.ham = 3, .spam = std::numeric_limits<uint32_t>::max()};
  model.SetCounts(1, full);
  ASSERT_EQ(model.LearnWithMargin(example, 0).outcome, Outcome::kUpdated);
  EXPECT_EQ(model.CountsOf(1).spam, full.spam);
  EXPECT_EQ(model.CountsOf(1).ham, 3U);
}

TEST_P(StateConformance, OptionsTextIsRestored) {
  ForEachDraw(kDraws, [](Draw& draw) {
    const auto restored = RestoreLearner(draw.learner->Name(), draw.learner->OptionsText());
    ASSERT_TRUE(restored.has_value()) << restored.error();
    EXPECT_EQ((*restored)->OptionsText(), draw.learner->OptionsText());
    EXPECT_EQ((*restored)->Name(), draw.learner->Name());
  });
}

INSTANTIATE_TEST_SUITE_P(All, StateConformance, testing::ValuesIn(AllLearners().begin(), AllLearners().end()),
                         LearnerName);

}  // namespace
}  // namespace thresher::learners

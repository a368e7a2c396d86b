// What every learner of the registry must satisfy. A learner joins by its registration line and its dense
// twin; nothing here names one.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "learners/options.h"
#include "tests/learners/dense_twins.h"
#include "tests/learners/random_stream.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {

// GoogleTest prints parameters with it.
static void PrintTo(const LearnerSpec& spec, std::ostream* out) { *out << spec.name; }

namespace {

constexpr size_t kDimension = 48;
constexpr int kDraws = 60;  // of options and stream, per learner

std::shared_ptr<const Learner> MakeShared(std::string_view name, const OptionValues& options) {
  auto learner = MakeLearner(name, options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

double LargestWeight(const std::vector<double>& weights) {
  double largest = 0;
  for (const double w : weights) largest = std::max(largest, std::abs(w));
  return largest;
}

// One draw of a learner's options and of a stream.
struct Draw {
  Draw(const LearnerSpec& spec, uint64_t seed)
      : random(seed), learner(MakeShared(spec.name, RandomOptions(spec, random))), stream(seed, kDimension) {}

  std::mt19937_64 random;
  std::shared_ptr<const Learner> learner;
  RandomStream stream;
};

class Conformance : public testing::TestWithParam<LearnerSpec> {
 protected:
  // Runs `check(draw)` over many draws and names the one that failed.
  template <class Check>
  void ForEachDraw(int draws, Check check) {
    for (int seed = 0; seed < draws && !HasFailure(); ++seed) {
      Draw draw(GetParam(), static_cast<uint64_t>(seed));
      SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << draw.learner->OptionsText());
      check(draw);
    }
  }
};

void ExpectSameWeights(const TestModel& model, const DenseTwin& twin, double tolerance) {
  const double largest = LargestWeight(twin.weights());
  for (size_t j = 0; j < kDimension; ++j) {
    const double lazy = model.Weight(j);
    const double dense = twin.weights()[j];
    ASSERT_TRUE(std::abs(lazy - dense) <= tolerance * std::max(std::abs(dense), largest))
        << "feature " << j << ": lazy " << lazy << ", dense " << dense << ", largest " << largest;
  }
}

void RunBesideTwin(Draw& draw, int steps) {
  TestModel model(draw.learner);
  const OptionValues options = SplitOptions(draw.learner->OptionsText()).value();
  const auto twin = MakeDenseTwin(draw.learner->Name(), options, kDimension);
  const double tolerance = TwinTolerance(draw.learner->Name(), options);
  ASSERT_NE(twin, nullptr) << "no dense twin for " << draw.learner->Name();
  for (int step = 0; step < steps; ++step) {
    const Example example = draw.stream.Next();
    ASSERT_NEAR(model.Score(example), twin->Margin(example.X()),
                tolerance * (1 + LargestWeight(twin->weights()) + std::abs(twin->bias())));
    model.Learn(example);
    twin->Learn(example.X(), example.label);
    ExpectSameWeights(model, *twin, tolerance);
    if (testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "at step " << step << " after " << model.rebases() << " rebases";
      return;
    }
    if (draw.random() % 32 == 0) model.DropDead(0.5, draw.random);
  }
}

TEST_P(Conformance, LazyIsDense) {
  ForEachDraw(kDraws, [](Draw& draw) { RunBesideTwin(draw, 400); });
}

TEST_P(Conformance, LazyIsDenseOverLongStreams) {
  ForEachDraw(6, [](Draw& draw) { RunBesideTwin(draw, 8000); });
}

TEST_P(Conformance, RestartIsNoRestart) {
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

TEST_P(Conformance, DroppingDeadRowsChangesNoLaterBit) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel keeping(draw.learner);
    TestModel dropping = keeping;
    for (int step = 0; step < 1500; ++step) {
      const Example example = draw.stream.Next();
      ASSERT_EQ(std::bit_cast<uint64_t>(keeping.Score(example)),
                std::bit_cast<uint64_t>(dropping.Score(example)));
      keeping.Learn(example);
      dropping.Learn(example);
      if (draw.random() % 8 == 0) dropping.DropDead(0.7, draw.random);
    }
    EXPECT_EQ(keeping.globals(), dropping.globals());
    EXPECT_EQ(keeping.LiveRows(), dropping.LiveRows());
  });
}

TEST_P(Conformance, RebaseChangesNoWeight) {
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

TEST_P(Conformance, SkippedAndRejectedExamplesChangeNothing) {
  constexpr float kBad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()};
  ForEachDraw(kDraws, [&](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 200; ++step) {
      Example example = draw.stream.Next();
      // Rows are made for whatever is taught; they must stay as they are.
      model.LearnWithMargin(example, std::numeric_limits<double>::quiet_NaN());
      const TestModel before = model;
      const double margin = model.Score(example);
      const bool would = draw.learner->WouldUpdate(margin, example.label);
      const Update update = model.Learn(example);
      ASSERT_EQ(update.outcome, would ? Outcome::kUpdated : Outcome::kSkipped);
      if (!would) {
        ASSERT_EQ(model.rows(), before.rows());
        ASSERT_EQ(model.globals(), before.globals());
      }
      if (example.ids.empty()) continue;
      const TestModel after = model;
      example.values[draw.random() % example.values.size()] = kBad[draw.random() % 3];
      ASSERT_EQ(model.Learn(example).outcome, Outcome::kRejected);
      ASSERT_NE(model.LearnWithMargin(example, 0).outcome, Outcome::kUpdated);
      ASSERT_EQ(model.LearnWithMargin(example, HUGE_VAL).outcome, Outcome::kRejected);
      ASSERT_EQ(model.rows(), after.rows());
      ASSERT_EQ(model.globals(), after.globals());
    }
  });
}

TEST_P(Conformance, StaysFiniteOnHugeValues) {
  constexpr float kHuge[] = {3e38F, -3e38F, 1e30F, 1e-38F, -1e-45F, 0.0F};
  ForEachDraw(kDraws, [&](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 300; ++step) {
      Example example = draw.stream.Next();
      for (float& value : example.values) {
        if (draw.random() % 2 == 0) value = kHuge[draw.random() % 6];
      }
      ASSERT_TRUE(std::isfinite(model.Score(example)));
      model.Learn(example);
      for (size_t j = 0; j < kDimension; ++j) ASSERT_TRUE(std::isfinite(model.Weight(j)));
    }
  });
}

TEST_P(Conformance, ZeroRowIsNeverSeen) {
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

// Whatever was learned is sound; a row with a number that is not finite, anywhere, is not.
TEST_P(Conformance, TellsSoundStateFromDamaged) {
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

// Globals that it calls sound lead to no read beyond them and no endless loop, whatever they are.
TEST_P(Conformance, SoundGlobalsCanBeUsedWhateverTheyAre) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 100; ++step) model.Learn(draw.stream.Next());
    int sound = 0;
    for (int flip = 0; flip < 200; ++flip) {
      std::vector<std::byte> globals = model.globals();
      globals[draw.random() % globals.size()] ^= std::byte(1U << draw.random() % 8);
      if (!draw.learner->AreGlobalsSound(globals)) continue;
      ++sound;
      for (const auto& [id, row] : model.rows()) {
        if (!draw.learner->IsSound(row.data(), globals)) continue;
        ASSERT_TRUE(std::isfinite(draw.learner->Weight(row.data(), globals)));
      }
    }
    EXPECT_GT(sound, 0);
  });
}

// A plain recount of the updates taken since each feature's row was last as never seen.
TEST_P(Conformance, CountsTakenUpdatesSinceTheRowLastDied) {
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

TEST_P(Conformance, CountsSaturate) {
  TestModel model(MakeShared(GetParam().name, {}));
  const Example example = {.ids = {1}, .values = {1}, .label = Label::kSpam};
  model.Learn(example);
  const Counts full = {.ham = 3, .spam = std::numeric_limits<uint32_t>::max()};
  model.SetCounts(1, full);
  ASSERT_EQ(model.LearnWithMargin(example, 0).outcome, Outcome::kUpdated);
  EXPECT_EQ(model.CountsOf(1).spam, full.spam);
  EXPECT_EQ(model.CountsOf(1).ham, 3U);
}

// Online learning has to learn: after the stream, the hidden labels are mostly found again.
TEST_P(Conformance, Learns) {
  TestModel model(MakeShared(GetParam().name, {}));
  RandomStream stream(4, kDimension);
  int right = 0;
  for (int step = 0; step < 4000; ++step) {
    const Example example = stream.Next();
    if (step >= 3000) right += (model.Score(example) > 0) == (example.label == Label::kSpam);
    model.Learn(example);
  }
  EXPECT_GT(right, 700);
}

// Whole-model learners say so, and when; what a learner counts is what there is.
TEST_P(Conformance, SaysWhatItNeedsAndCounts) {
  ForEachDraw(kDraws, [](Draw& draw) {
    TestModel model(draw.learner);
    const bool whole_model = model.Derive() != nullptr;
    EXPECT_TRUE(!whole_model || !GetParam().whole_model.empty());
    EXPECT_TRUE(whole_model || GetParam().whole_model != "always");
    for (int step = 0; step < 300; ++step) {
      model.Learn(draw.stream.Next());
      const auto counted = model.SparsityNow();
      if (!counted) continue;
      uint64_t nonzeros = 0;
      double l1_norm = 0;
      for (size_t j = 0; j < kDimension; ++j) {
        nonzeros += model.Weight(j) != 0 ? 1 : 0;
        l1_norm += std::abs(model.Weight(j));
      }
      ASSERT_EQ(counted->nonzeros, nonzeros);
      ASSERT_NEAR(counted->l1_norm, l1_norm, 1e-12 * l1_norm);
    }
  });
}

// Rows of weights found elsewhere are rows like any other: they have those weights, and are learned from.
TEST_P(Conformance, PlantedWeightsAreWhereLearningGoesOn) {
  ForEachDraw(kDraws, [](Draw& draw) {
    const Learner& learner = *draw.learner;
    if (!learner.CanPlant()) return;
    std::vector<uint64_t> globals_words(learner.GlobalsBytes() / 8);
    const std::span<std::byte> globals = std::as_writable_bytes(std::span(globals_words));
    learner.InitGlobals(globals);
    learner.Advance(draw.random() % 3000, globals);
    std::vector<std::vector<uint64_t>> rows(kDimension, std::vector<uint64_t>(learner.RowBytes() / 8));
    std::vector<std::byte*> pointers;
    std::vector<double> weights;
    for (auto& row : rows) {
      pointers.push_back(std::as_writable_bytes(std::span(row)).data());
      weights.push_back((static_cast<double>(draw.random() % 2001) - 1000.5) / 100);
      const double gradient_norm = static_cast<double>(draw.random() % 1000) / 10;
      learner.Plant({.weight = weights.back(), .gradient_norm = gradient_norm, .counts = {3, 4}},
                    pointers.back(), globals);
    }
    ASSERT_TRUE(learner.AreGlobalsSound(globals));
    for (size_t j = 0; j < kDimension; ++j) {
      EXPECT_NEAR(learner.Weight(pointers[j], globals), weights[j], 1e-12 * LargestWeight(weights));
      EXPECT_TRUE(learner.IsSound(pointers[j], globals));
      EXPECT_TRUE(learner.IsLive(pointers[j], globals));
      EXPECT_EQ(Learner::CountsOf(pointers[j]).spam, 4U);
    }
    for (int step = 0; step < 50; ++step) {
      const Example example = draw.stream.Next();
      std::vector<std::byte*> touched;
      for (const uint64_t id : example.ids) touched.push_back(pointers[id]);
      const std::vector<const std::byte*> seen(touched.begin(), touched.end());
      const double margin = learner.Score(example.X(), seen, globals);
      ASSERT_TRUE(std::isfinite(margin));
      if (!learner.Learn(example.X(), example.label, margin, touched, globals, nullptr).rebase_due) continue;
      do {
        for (std::byte* row : pointers) learner.Rebase(row, globals);
      } while (learner.FinishRebase(globals));
    }
  });
}

TEST_P(Conformance, OptionsTextIsRestored) {
  ForEachDraw(kDraws, [](Draw& draw) {
    const auto restored = RestoreLearner(draw.learner->Name(), draw.learner->OptionsText());
    ASSERT_TRUE(restored.has_value()) << restored.error();
    EXPECT_EQ((*restored)->OptionsText(), draw.learner->OptionsText());
    EXPECT_EQ((*restored)->Name(), draw.learner->Name());
  });
}

INSTANTIATE_TEST_SUITE_P(All, Conformance, testing::ValuesIn(AllLearners().begin(), AllLearners().end()),
                         [](const auto& param_info) {
                           std::string name(param_info.param.name);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace thresher::learners

// How every learner of the registry must learn. A new learner is included by its registration line and its
// dense twin; nothing here names one.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "learners/options.h"
#include "learners/steps/array_model.h"
#include "tests/learners/dense_twins.h"
#include "tests/learners/learner_test.h"

namespace thresher::learners {
namespace {

using Conformance = LearnerTest;

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
    if (draw.random() % 32 == 0) model.Prune(0.5, draw.random);
  }
}

TEST_P(Conformance, LazyIsDense) {
  ForEachDraw(kDraws, [](Draw& draw) { RunBesideTwin(draw, 400); });
}

TEST_P(Conformance, LazyIsDenseOverLongStreams) {
  ForEachDraw(6, [](Draw& draw) { RunBesideTwin(draw, 8000); });
}

TEST_P(Conformance, SkippedAndRejectedExamplesChangeNothing) {
  constexpr float kBad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()};
  ForEachDraw(kDraws, [&](Draw& draw) {
    TestModel model(draw.learner);
    for (int step = 0; step < 200; ++step) {
      Example example = draw.stream.Next();
      // Creates the rows; their values must not change.
      model.LearnWithMargin(example, std::numeric_limits<double>::quiet_NaN());
      const TestModel before = model;
      const double margin = model.Score(example);
      const bool would = draw.learner->WouldUpdate(margin, example.label);
      const OnlineSteps::Step update = model.Learn(example);
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

// After the stream, the learner predicts most of the hidden labels.
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

// A whole-model learner is registered as one.
TEST_P(Conformance, RegistersWhatItDerives) {
  ForEachDraw(kDraws, [](Draw& draw) {
    const bool whole_model = TestModel(draw.learner).Derive() != nullptr;
    EXPECT_TRUE(!whole_model || !GetParam().whole_model.empty());
    EXPECT_TRUE(whole_model || GetParam().whole_model != "always");
  });
}

// Rows with weights found elsewhere are ordinary rows: they have these weights, and learning continues from
// them.
TEST_P(Conformance, LearningContinuesFromFittedWeights) {
  ForEachDraw(kDraws, [](Draw& draw) {
    const Learner& learner = *draw.learner;
    if (!learner.CanWarmStart()) return;
    ArrayModel model(draw.learner, kDimension);
    const std::span<std::byte> globals = model.globals();
    learner.InitGlobals(globals, draw.random() % 3000);
    std::vector<std::byte*> pointers;
    std::vector<double> weights;
    for (size_t j = 0; j < kDimension; ++j) {
      pointers.push_back(model.RowOf(j));
      weights.push_back((static_cast<double>(draw.random() % 2001) - 1000.5) / 100);
      const double gradient_norm = static_cast<double>(draw.random() % 1000) / 10;
      learner.WarmStartRow({.weight = weights.back(), .gradient_norm = gradient_norm, .counts = {3, 4}},
                           pointers.back(), globals);
    }
    ASSERT_TRUE(learner.AreGlobalsSound(globals));
    const OptionValues options = SplitOptions(learner.OptionsText()).value();
    const double tolerance = TwinTolerance(learner.Name(), options) * LargestWeight(weights);
    for (size_t j = 0; j < kDimension; ++j) {
      EXPECT_NEAR(learner.Weight(pointers[j], globals), weights[j], tolerance);
      EXPECT_TRUE(learner.IsSound(pointers[j], globals));
      EXPECT_TRUE(learner.IsLive(pointers[j], globals));
      EXPECT_EQ(Learner::CountsOf(pointers[j]).spam, 4U);
    }
    for (int step = 0; step < 50; ++step) {
      const Example example = draw.stream.Next();
      std::vector<std::byte*> touched;
      for (const uint64_t id : example.ids) touched.push_back(pointers[id]);
      const double margin = model.Score(example.X(), touched);
      ASSERT_TRUE(std::isfinite(margin));
      model.Learn(example.X(), example.label, margin, touched);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, Conformance, testing::ValuesIn(AllLearners().begin(), AllLearners().end()),
                         LearnerName);

}  // namespace
}  // namespace thresher::learners

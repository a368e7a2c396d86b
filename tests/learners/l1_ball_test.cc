// What is particular to l1-ball: the bound on ‖w‖₁, the tree that small steps are taken in, rebases.
#include <gtest/gtest.h>

#include <cmath>

#include "learners/magnitudes/magnitudes.h"
#include "learners/options.h"
#include "tests/learners/dense_twins.h"
#include "tests/learners/random_stream.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

std::shared_ptr<const Learner> Ball(const OptionValues& options) {
  auto learner = MakeLearner("l1-ball", options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

double Norm(const TestModel& model) {
  double norm = 0;
  for (const auto& [id, row] : model.rows()) norm += std::abs(model.Weight(id));
  return norm;
}

bool IsTree(TestModel& model) {
  const auto derived = model.Derive();
  return dynamic_cast<const Magnitudes&>(*derived).is_tree();
}

// squared loss, η = 1: a step on x from w = 0 towards y = 1 is +x.
TEST(L1Ball, OneStepByHand) {
  TestModel model(Ball({{"loss", "squared"}, {"learning_rate", "1"}, {"radius", "1"}}));
  model.Learn({.ids = {1, 2, 3}, .values = {1, 0.75, 0.25}, .label = Label::kSpam});
  EXPECT_DOUBLE_EQ(model.Weight(1), 0.625);
  EXPECT_DOUBLE_EQ(model.Weight(2), 0.375);
  EXPECT_EQ(model.Weight(3), 0);
  EXPECT_FALSE(model.IsLive(3));
}

// Most of a large model is non-zero, and an example touches a few of it.
class WideStream {
 public:
  explicit WideStream(uint64_t seed) : random_(seed) {}

  Example Next() {
    Example example;
    example.label = random_() % 2 == 0 ? Label::kHam : Label::kSpam;
    const bool wide = time_++ < 30;
    const uint64_t stride = wide ? 1 : 1 + random_() % 800;
    for (uint64_t id = random_() % stride; id < kFeatures; id += stride) {
      example.ids.push_back(id);
      example.values.push_back(static_cast<float>(normal_(random_)) * (wide ? 0.01F : 0.3F));
    }
    return example;
  }

  static constexpr size_t kFeatures = 1200;

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  int time_ = 0;
};

TEST(L1Ball, InTheTreeAsByProjectingTheSortedVector) {
  for (const auto* radius : {"0.3", "3", "30"}) {
    const auto learner = Ball({{"learning_rate", "0.5"}, {"radius", radius}, {"min_gradient", "0"}});
    TestModel model(learner);
    const auto twin =
        MakeDenseTwin("l1-ball", SplitOptions(learner->OptionsText()).value(), WideStream::kFeatures);
    WideStream stream(5);
    int in_tree = 0;
    for (int step = 0; step < 3000; ++step) {
      const Example example = stream.Next();
      model.Learn(example);
      twin->Learn(example.X(), example.label);
      if (step % 50 != 0) continue;
      in_tree += IsTree(model) ? 1 : 0;
      double largest = 0;
      for (const double w : twin->weights()) largest = std::max(largest, std::abs(w));
      for (size_t j = 0; j < WideStream::kFeatures; ++j) {
        ASSERT_NEAR(model.Weight(j), twin->weights()[j], 1e-9 * largest) << "feature " << j << " at " << step;
      }
      ASSERT_LE(Norm(model), std::stod(radius) * (1 + 1e-12));
    }
    EXPECT_TRUE(in_tree > 20 || std::stod(radius) < 30) << in_tree;
  }
}

TEST(L1Ball, RestartInTheTreeIsNoRestart) {
  TestModel straight(Ball({{"learning_rate", "0.5"}, {"radius", "20"}, {"min_gradient", "0"}}));
  TestModel restarted = straight;
  WideStream stream(6);
  int in_tree = 0;
  for (int step = 0; step < 2000; ++step) {
    const Example example = stream.Next();
    straight.Learn(example);
    restarted.Learn(example);
    if (step % 20 != 0) continue;
    restarted = TestModel(restarted);
    in_tree += IsTree(restarted) ? 1 : 0;
  }
  EXPECT_GT(in_tree, 20);
  EXPECT_EQ(straight.globals(), restarted.globals());
  EXPECT_EQ(straight.rows(), restarted.rows());
}

TEST(L1Ball, TheNormIsBoundedAtEveryStepAndRebasesHappen) {
  for (const auto* radius : {"0.001", "0.1", "1", "100"}) {
    TestModel model(Ball({{"learning_rate", "4"}, {"radius", radius}, {"loss", "hinge"}}));
    RandomStream stream(8, 48);
    for (int step = 0; step < 5000; ++step) {
      model.Learn(stream.Next());
      ASSERT_LE(Norm(model), std::stod(radius) * (1 + 1e-12)) << step;
    }
    EXPECT_TRUE(model.rebases() > 0 || std::stod(radius) > 1) << radius;
  }
}

// One step that is 10^40 times as large as the ball, on features whose steps differ in the last bits.
TEST(L1Ball, TheNormIsBoundedAfterHugeSteps) {
  for (const auto* radius : {"1e-09", "1", "1000000"}) {
    std::mt19937_64 random(9);
    TestModel model(Ball({{"radius", radius}, {"min_gradient", "0"}}));
    RandomStream stream(9, 48);
    for (int step = 0; step < 2000; ++step) {
      Example example = stream.Next();
      const float size = std::ldexp(1.0F, static_cast<int>(random() % 200) - 80);
      for (float& value : example.values) {
        if (step % 3 == 0) value = size * (1 + 0x1p-23F * static_cast<float>(random() % 3));
      }
      model.LearnWithMargin(example, 0);
      ASSERT_LE(Norm(model), std::stod(radius) * (1 + 1e-12)) << step;
    }
  }
}

// A step that is 10^15 times as large as the ball: only the difference between magnitudes and shift is exact.
TEST(L1Ball, TheNormIsTheRadiusAfterAHugeStep) {
  for (const auto* rate : {"1", "1000", "1000000"}) {
    TestModel model(Ball({{"learning_rate", rate}, {"radius", "1e-09"}}));
    for (int step = 0; step < 20; ++step) {
      model.Learn({.ids = {1, 2, 3, 4}, .values = {1, 1, 1, 1}, .label = Label::kSpam});
      ASSERT_NEAR(Norm(model), 1e-9, 1e-20) << rate << ' ' << step;
    }
    EXPECT_NEAR(model.Weight(1), 2.5e-10, 1e-20) << rate;
  }
}

// The step is 1e30 times the ball, which is lost in its last digits: all weights are 0, once.
TEST(L1Ball, LearnsOnAfterAStepThatLeavesNoMagnitude) {
  TestModel model(Ball({{"loss", "squared"}, {"learning_rate", "1"}, {"radius", "1"}}));
  model.Learn({.ids = {60}, .values = {1e30F}, .label = Label::kSpam});
  EXPECT_EQ(Norm(model), 0);
  for (int step = 0; step < 100; ++step)
    model.Learn({.ids = {1, 2}, .values = {1, 0.5}, .label = Label::kSpam});
  EXPECT_NEAR(Norm(model), 1, 0.05);
  EXPECT_GT(model.Weight(1), 0.5);
}

}  // namespace
}  // namespace thresher::learners

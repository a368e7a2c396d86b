// What is particular to adagrad: the penalties of many untouched steps in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/learners/learner_test.h"

namespace thresher::learners {
namespace {

// The weight after `steps` penalties of one step each.
double Shrunk(double weight, double b, double c, int steps) {
  for (int step = 0; step < steps; ++step) {
    weight = std::copysign(std::max(std::abs(weight) - b, 0.0) / (1 + c), weight);
  }
  return weight;
}

TEST(AdaGrad, FirstStepWorkedByHand) {
  TestModel model(
      MakeShared("adagrad", {{"learning_rate", "0.5"}, {"damping", "1"}, {"l1", "0.1"}, {"l2", "0.2"}}));
  // L' = −1/2 at margin 0, so g = −2, h = 1 + 2, η/h = 1/6.
  model.Learn({.ids = {3}, .values = {4}, .label = Label::kSpam});
  EXPECT_NEAR(model.Weight(3), (2.0 / 6 - 0.1 / 6) / (1 + 0.2 / 6), 1e-15);
}

// Empty examples touch nothing, so only penalties reach the weight; the closed form is that of single steps,
// also where λ2 is so small that 1 + c is 1, and after the weight has become 0.
TEST(AdaGrad, PendingPenaltiesAreThoseOfSingleSteps) {
  for (const char* const l1 : {"0", "1e-300", "1e-9", "1e-4", "0.01"}) {
    for (const char* const l2 : {"0", "5e-324", "1e-300", "1e-18", "1e-9", "0.001", "10"}) {
      SCOPED_TRACE(testing::Message() << "l1 " << l1 << ", l2 " << l2);
      const OptionValues options = {
          {"learning_rate", "0.5"}, {"damping", "1"}, {"l1", l1}, {"l2", l2}, {"min_gradient", "0"}};
      TestModel model(MakeShared("adagrad", options));
      model.Learn({.ids = {3}, .values = {4}, .label = Label::kSpam});
      const double b = std::stod(l1) / 6;
      const double c = std::strtod(l2, nullptr) / 6;
      for (int step = 1; step <= 2000; ++step) {
        ASSERT_NEAR(model.Weight(3), Shrunk(2.0 / 6, b, c, step), 1e-12) << step;
        model.Learn(Example{});
      }
    }
  }
}

// A feature that was learned from often moves less than a new one, in the same step.
TEST(AdaGrad, EveryFeatureHasItsOwnRate) {
  TestModel model(MakeShared("adagrad", {{"l1", "0"}, {"min_gradient", "0"}}));
  for (int step = 0; step < 50; ++step) {
    model.LearnWithMargin({.ids = {1}, .values = {1}, .label = Label::kSpam}, 0);
  }
  const double before = model.Weight(1);
  model.LearnWithMargin({.ids = {1, 2}, .values = {1, 1}, .label = Label::kSpam}, 0);
  EXPECT_GT(model.Weight(2), 5 * (model.Weight(1) - before));
}

TEST(AdaGrad, ForgetEveryResetsRowsOfWeightZero) {
  const OptionValues options = {{"l1", "0.01"}, {"min_gradient", "0"}, {"forget_every", "100"}};
  TestModel model(MakeShared("adagrad", options));
  RandomStream stream(5, kDimension);
  size_t zeros = 0;
  while (model.steps() < 500) {
    if (model.steps() % 100 == 99) {
      for (const auto& [id, row] : model.LiveRows()) zeros += model.Weight(id) == 0 ? 1 : 0;
    }
    model.Learn(stream.Next());
    if (model.steps() % 100 != 0) continue;
    for (const auto& [id, row] : model.LiveRows()) EXPECT_NE(model.Weight(id), 0);
  }
  EXPECT_GT(zeros, 0u);
  EXPECT_EQ(model.rebases(), 5);
}

}  // namespace
}  // namespace thresher::learners

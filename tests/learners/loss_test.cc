#include "learners/loss/loss.h"

#include <gtest/gtest.h>

#include <limits>

#include "learners/rule/schedule.h"

namespace thresher::learners {
namespace {

constexpr Loss kLosses[] = {Loss::kLogistic, Loss::kSquared, Loss::kHinge};
constexpr Label kLabels[] = {Label::kHam, Label::kSpam};

TEST(Loss, DerivativeIsTheFiniteDifference) {
  for (const Loss loss : kLosses) {
    for (const Label label : kLabels) {
      for (int quarter = -240; quarter < 240; ++quarter) {
        constexpr double kStep = 1e-5;
        const double margin = 0.25 * quarter + 0.1;  // beside the hinge
        const double slope =
            (LossValue(loss, margin + kStep, label) - LossValue(loss, margin - kStep, label)) / (2 * kStep);
        EXPECT_NEAR(LossDerivative(loss, margin, label), slope, 1e-7) << margin;
      }
    }
  }
}

TEST(Loss, AtTheMarginOfAMistakeTheDerivativeIsTheDifferenceOfBothLabels) {
  for (const Loss loss : {Loss::kLogistic, Loss::kSquared}) {
    for (const double margin : {-7.5, -0.1, 0.0, 3.0}) {
      const double difference =
          LossDerivative(loss, margin, Label::kSpam) - LossDerivative(loss, margin, Label::kHam);
      EXPECT_NEAR(LossDerivative(loss, MarginOfMistake(loss, Label::kSpam), Label::kSpam), difference, 1e-12);
      EXPECT_NEAR(LossDerivative(loss, MarginOfMistake(loss, Label::kHam), Label::kHam), -difference, 1e-12);
    }
  }
  EXPECT_EQ(LossDerivative(Loss::kHinge, MarginOfMistake(Loss::kHinge, Label::kSpam), Label::kSpam), -1);
}

TEST(Loss, KnownValues) {
  EXPECT_DOUBLE_EQ(LossValue(Loss::kLogistic, 0, Label::kSpam), std::log(2));
  EXPECT_DOUBLE_EQ(LossDerivative(Loss::kLogistic, 0, Label::kSpam), -0.5);
  EXPECT_DOUBLE_EQ(LossDerivative(Loss::kLogistic, 0, Label::kHam), 0.5);
  EXPECT_DOUBLE_EQ(LossValue(Loss::kSquared, 3, Label::kSpam), 2);
  EXPECT_DOUBLE_EQ(LossDerivative(Loss::kSquared, 3, Label::kHam), 4);
  EXPECT_DOUBLE_EQ(LossValue(Loss::kHinge, 0.25, Label::kSpam), 0.75);
  EXPECT_DOUBLE_EQ(LossDerivative(Loss::kHinge, 1, Label::kSpam), 0);
  EXPECT_DOUBLE_EQ(LossDerivative(Loss::kHinge, 2, Label::kHam), 1);
}

TEST(Loss, LogisticMeetsItselfAtTheCutOffs) {
  for (const Label label : kLabels) {
    for (const double cut : {kLogisticCutOff, -kLogisticCutOff}) {
      const double below = std::nextafter(cut, -HUGE_VAL);
      const double above = std::nextafter(cut, HUGE_VAL);
      EXPECT_NEAR(LossValue(Loss::kLogistic, below, label) / LossValue(Loss::kLogistic, above, label), 1,
                  1e-13);
      EXPECT_NEAR(
          LossDerivative(Loss::kLogistic, below, label) / LossDerivative(Loss::kLogistic, above, label), 1,
          1e-13);
    }
  }
}

TEST(Loss, DerivativeIsFiniteForEveryFiniteMargin) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const Label label : kLabels) {
    for (const double margin : {kMost, -kMost, 1e300, -1e300, 710.0, -710.0, 5e-324}) {
      for (const Loss loss : kLosses)
        EXPECT_TRUE(std::isfinite(LossDerivative(loss, margin, label))) << margin;
      EXPECT_TRUE(std::isfinite(LossValue(Loss::kLogistic, margin, label)));
    }
  }
}

TEST(Schedule, Formulas) {
  EXPECT_EQ((Schedule{.first = 0.3, .horizon = 10}.Rate(1000)), 0.3);
  EXPECT_DOUBLE_EQ((Schedule{.kind = Schedule::Kind::kInverse, .first = 3, .horizon = 10}.Rate(20)), 1);
  EXPECT_DOUBLE_EQ((Schedule{.kind = Schedule::Kind::kInverseSqrt, .first = 3, .horizon = 10}.Rate(80)), 1);
}

}  // namespace
}  // namespace thresher::learners

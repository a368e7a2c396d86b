// What is particular to lazy-sgd and lazy-fobos: hand-worked steps, the paper's own lazy form, and streams
// made to strain the scale and the shift.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learners/options.h"
#include "learners/rule/schedule.h"
#include "learners/shrinkage/shrinkage.h"
#include "tests/learners/dense_twins.h"
#include "tests/learners/lipton_elkan_clock.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

constexpr size_t kNetDimension = 8;
constexpr double kL1 = 0.01;
constexpr double kL2 = 0.2;

std::shared_ptr<const Learner> MakeNetLearner(std::string_view name, const OptionValues& options) {
  auto learner = MakeLearner(name, options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

// squared loss, η = .5: a step on x = 1 from w = 0 towards y = 1 is +.5.
TEST(LazySgd, OneStepByHand) {
  TestModel model(MakeNetLearner(
      "lazy-sgd", {{"loss", "squared"}, {"learning_rate", "0.5"}, {"l1", "0.1"}, {"l2", "0.4"}}));
  model.Learn({.ids = {7}, .values = {1}, .label = Label::kSpam});
  EXPECT_DOUBLE_EQ(model.Weight(7), (1 - 0.2) * 0.5 - 0.05);
}

TEST(LazyFobos, OneStepByHand) {
  TestModel model(MakeNetLearner(
      "lazy-fobos", {{"loss", "squared"}, {"learning_rate", "0.5"}, {"l1", "0.1"}, {"l2", "0.4"}}));
  model.Learn({.ids = {7}, .values = {1}, .label = Label::kSpam});
  EXPECT_DOUBLE_EQ(model.Weight(7), (0.5 - 0.05) / (1 + 0.2));
}

TEST(ElasticNet, AnEmptyExampleIsAStep) {
  for (const auto* name : {"lazy-sgd", "lazy-fobos"}) {
    TestModel model(
        MakeNetLearner(name, {{"loss", "squared"}, {"learning_rate", "0.5"}, {"l1", "0.1"}, {"bias", "on"}}));
    model.Learn({.ids = {7}, .values = {1}, .label = Label::kSpam});
    EXPECT_DOUBLE_EQ(model.Weight(7), 0.45);
    EXPECT_DOUBLE_EQ(model.Score({}), 0.5);
    model.Learn({.ids = {}, .values = {}, .label = Label::kSpam});
    EXPECT_DOUBLE_EQ(model.Weight(7), 0.40);
    EXPECT_DOUBLE_EQ(model.Score({}), 0.75);
  }
}

// The largest distance, relative to the largest weight, between the clock form with `clock_l1` and the plain
// recursion.
double ClockDeviation(LiptonElkanClock::Sum sum, Schedule schedule, double clock_l1, uint64_t seed) {
  LiptonElkanClock clock(kNetDimension, clock_l1, kL2, sum);
  std::vector<double> dense(kNetDimension);
  std::mt19937_64 random(seed);
  std::normal_distribution normal;
  double worst = 0;
  for (uint64_t t = 0; t < 200; ++t) {
    const double rate = schedule.Rate(t);
    const size_t touched = random() % kNetDimension;
    const double step = 0.3 * normal(random);
    clock.Set(touched, clock.Current(touched) + step);
    dense[touched] += step;
    clock.EndStep(rate);
    for (double& w : dense) w = std::copysign(std::max((1 - rate * kL2) * std::abs(w) - rate * kL1, 0.0), w);
    double largest = 0;
    for (const double w : dense) largest = std::max(largest, std::abs(w));
    for (size_t j = 0; j < kNetDimension; ++j) {
      worst = std::max(worst, std::abs(clock.Current(j) - dense[j]) / largest);
    }
  }
  return worst;
}

constexpr Schedule kConstant = {.first = 0.5};
constexpr Schedule kInverse = {.kind = Schedule::Kind::kInverse, .first = 0.5, .horizon = 20};
constexpr Schedule kInverseSqrt = {.kind = Schedule::Kind::kInverseSqrt, .first = 0.5, .horizon = 20};

TEST(LiptonElkanClock, UnrolledSumHoldsForEverySchedule) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const Schedule& schedule : {kConstant, kInverse, kInverseSqrt}) {
      EXPECT_LT(ClockDeviation(LiptonElkanClock::Sum::kUnrolled, schedule, kL1, seed), 1e-9);
    }
  }
}

// With P(τ−1) for P(τ), step τ's penalty comes out as η_τ λ1 (1 − η_τ λ2). For a constant rate a larger λ1
// makes up for that; for a varying one nothing does.
TEST(LiptonElkanClock, PrintedSumIsAnotherPenalty) {
  const double compensated = kL1 / (1 - kConstant.first * kL2);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_GT(ClockDeviation(LiptonElkanClock::Sum::kAsPrinted, kConstant, kL1, seed), 1e-4);
    EXPECT_LT(ClockDeviation(LiptonElkanClock::Sum::kAsPrinted, kConstant, compensated, seed), 1e-9);
    for (const Schedule& falling : {kInverse, kInverseSqrt}) {
      EXPECT_GT(ClockDeviation(LiptonElkanClock::Sum::kAsPrinted, falling, kL1, seed), 1e-4);
      EXPECT_GT(ClockDeviation(LiptonElkanClock::Sum::kAsPrinted, falling, compensated, seed), 1e-4);
    }
  }
}

struct Strain {
  std::string_view name;
  OptionValues options;
  double value_spread;  // values are 2^±spread
  int quiet;            // steps of empty examples between two touches
};

// The twin decides; weights must agree to 1e−9 of the largest at every step.
void ExpectStrainIsHarmless(std::string_view learner, const Strain& strain) {
  SCOPED_TRACE(fmt::format("{}, {}", learner, strain.name));
  TestModel model(MakeNetLearner(learner, strain.options));
  const auto twin =
      MakeDenseTwin(learner, SplitOptions(model.learner().OptionsText()).value(), kNetDimension);
  std::mt19937_64 random(1);
  std::uniform_real_distribution exponent(-strain.value_spread, strain.value_spread);
  for (int step = 0; step < 12000; ++step) {
    Example example;
    example.label = random() % 2 == 0 ? Label::kHam : Label::kSpam;
    if (step % (strain.quiet + 1) == 0) {
      example.ids = {random() % kNetDimension};
      example.values = {static_cast<float>(std::exp2(exponent(random)))};
    }
    model.Learn(example);
    twin->Learn(example.X(), example.label);
    double largest = 0;
    for (const double w : twin->weights()) largest = std::max(largest, std::abs(w));
    for (size_t j = 0; j < kNetDimension; ++j) {
      const double dense = twin->weights()[j];
      ASSERT_LE(std::abs(model.Weight(j) - dense), 1e-9 * std::max(largest, std::abs(dense)))
          << "step " << step << ", " << model.rebases() << " rebases, largest weight " << largest;
    }
  }
}

TEST(ElasticNet, StrainsOnScaleAndShift) {
  const std::vector<Strain> strains = {
      {"every weight dies at once", {{"learning_rate", "0.5"}, {"l1", "0.9"}}, 1, 0},
      {"weights of one penalty's size", {{"learning_rate", "0.5"}, {"l1", "0.3"}}, 1, 0},
      {"learning rate times l2 just below one", {{"learning_rate", "0.5"}, {"l2", "1.999999999"}}, 1, 0},
      {"both penalties strong", {{"learning_rate", "0.5"}, {"l1", "0.01"}, {"l2", "1.5"}}, 1, 0},
      {"decay over many orders between touches",
       {{"learning_rate", "0.1"}, {"l2", "1"}, {"l1", "0"}},
       1,
       200},
      {"decay to the last penalty between touches",
       {{"learning_rate", "0.1"}, {"l2", "0.5"}, {"l1", "1e-9"}},
       1,
       150},
      {"values of very different size", {{"learning_rate", "0.001"}, {"l1", "0.01"}}, 6, 0},
      {"a falling rate",
       {{"schedule", "inverse"}, {"schedule_horizon", "5"}, {"l1", "0.05"}, {"l2", "0.05"}},
       1,
       3},
  };
  for (Strain strain : strains) {
    strain.options.emplace("min_gradient", "0");
    strain.options.emplace("learning_rate", "0.5");
    ExpectStrainIsHarmless("lazy-sgd", strain);
    ExpectStrainIsHarmless("lazy-fobos", strain);
  }
}

TEST(Shrinkage, RebasesAreAmortised) {
  for (const auto* l1 : {"0.001", "0.3", "0.9"}) {
    TestModel model(
        MakeNetLearner("lazy-sgd", {{"learning_rate", "0.5"}, {"l1", l1}, {"min_gradient", "0"}}));
    std::mt19937_64 random(3);
    for (int step = 0; step < 20000; ++step) {
      model.Learn({.ids = {random() % kNetDimension},
                   .values = {1},
                   .label = random() % 2 == 0 ? Label::kHam : Label::kSpam});
    }
    EXPECT_LE(model.rebases(), 20000 / 1024) << "l1 " << l1;
  }
}

// After a thousand penalties that found nothing alive, a weight hardly larger than one penalty is exact.
TEST(Shrinkage, DeadStretchesCostNoPrecision) {
  for (const auto* name : {"lazy-sgd", "lazy-fobos"}) {
    TestModel model(MakeNetLearner(
        name, {{"loss", "squared"}, {"learning_rate", "0.5"}, {"l1", "0.3"}, {"min_gradient", "0"}}));
    const float x = 0.3F * (1 + 1e-5F);
    for (int step = 0; step < 1000; ++step) model.Learn({.ids = {}, .values = {}, .label = Label::kSpam});
    model.Learn({.ids = {1}, .values = {x}, .label = Label::kSpam});
    const double expected = 0.5 * static_cast<double>(x) - 0.5 * 0.3;
    EXPECT_NEAR(model.Weight(1), expected, 1e-9 * expected);
    EXPECT_EQ(model.rebases(), 0);
  }
}

TEST(Shrinkage, RenewingBringsNoDeadWeightBack) {
  Shrinkage shrinkage;
  const double u = shrinkage.Moved(0, 1.0);
  shrinkage.Include(u);
  for (int step = 0; step < 1000; ++step) {
    shrinkage.Subtract(0.01);
    shrinkage.RescaleIfAllZero(0.01);
    EXPECT_EQ(shrinkage.IsLive(u), step < 99) << step;
    EXPECT_NEAR(shrinkage.Weight(u), std::max(1 - 0.01 * (step + 1), 0.0), 1e-12);
  }
  EXPECT_LT(shrinkage.scale, 1);
  EXPECT_LT(shrinkage.shift * shrinkage.scale, 1) << "the shift did not become small";
  const double fresh = shrinkage.Moved(u, 0.25 / shrinkage.scale);
  EXPECT_NEAR(shrinkage.Weight(fresh), 0.25, 1e-15);
}

}  // namespace
}  // namespace thresher::learners

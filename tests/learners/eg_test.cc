// What is particular to eg: the sum of all w⁺ and w⁻, and log-ratios beyond what an exponential can hold.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "learners/options.h"
#include "learners/sums/fixed_sum.h"
#include "tests/learners/dense_twins.h"
#include "tests/learners/random_stream.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

std::shared_ptr<const Learner> Eg(const OptionValues& options) {
  auto learner = MakeLearner("eg", options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

// hinge loss, η = 1: the log-ratio of a feature is Σ yx. Beside 8 untouched features, N = 8 + Σ cosh r.
TEST(Eg, OneStepByHand) {
  TestModel model(Eg({{"loss", "hinge"}, {"learning_rate", "1"}, {"radius", "3"}, {"dimension", "10"}}));
  model.Learn({.ids = {1, 2}, .values = {1, -2}, .label = Label::kSpam});
  const double n = 8 + std::cosh(1) + std::cosh(2);
  EXPECT_DOUBLE_EQ(model.Weight(1), 3 * std::sinh(1) / n);
  EXPECT_DOUBLE_EQ(model.Weight(2), 3 * std::sinh(-2) / n);
  EXPECT_EQ(model.Weight(3), 0);
}

// From the weights alone: w⁺w⁻ is the same for all coordinates, c²/4 say, so that w⁺ + w⁻ = √(w² + c²), and c
// follows from one weight whose log-ratio is known.
TEST(Eg, TheMassIsTheRadius) {
  constexpr double kRadius = 7;
  constexpr double kDimension = 300;
  TestModel model(Eg({{"loss", "hinge"}, {"learning_rate", "0.3"}, {"radius", "7"}, {"dimension", "300"}}));
  RandomStream stream(4, 48);
  std::map<uint64_t, double> log_ratios;
  for (int step = 0; step < 4000; ++step) {
    const Example example = stream.Next();
    if (model.Learn(example).outcome != Outcome::kUpdated) continue;
    const auto y = static_cast<double>(example.label);
    for (size_t i = 0; i < example.ids.size(); ++i) {
      log_ratios[example.ids[i]] += 0.3 * y * static_cast<double>(example.values[i]);
    }
    const auto& [known, r] = *log_ratios.begin();
    if (std::abs(r) < 0.01) continue;
    const double c = model.Weight(known) / std::sinh(r);
    double mass = (kDimension - static_cast<double>(log_ratios.size())) * c;
    for (const auto& [id, unused] : log_ratios) mass += std::hypot(model.Weight(id), c);
    ASSERT_NEAR(mass, kRadius, 1e-9 * kRadius) << step;
  }
}

// Steps of ±100 carry the log-ratios to thousands and back.
TEST(Eg, LogRatiosMayOutgrowTheExponential) {
  const auto learner =
      Eg({{"loss", "squared"}, {"learning_rate", "1000"}, {"radius", "2"}, {"dimension", "60"}});
  TestModel model(learner);
  const auto twin = MakeDenseTwin("eg", SplitOptions(learner->OptionsText()).value(), 48);
  RandomStream stream(6, 48);
  for (int step = 0; step < 3000; ++step) {
    const Example example = stream.Next();
    model.LearnWithMargin(example, twin->Margin(example.X()));
    twin->Learn(example.X(), example.label);
    for (size_t j = 0; j < 48; ++j) ASSERT_NEAR(model.Weight(j), twin->weights()[j], 1e-8) << step;
  }
  EXPECT_GT(model.rebases(), 10);
}

TEST(FixedSum, IsExactInAnyOrder) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution exponent(-90.0, 17.0);
  std::vector<double> terms(5000);
  for (double& term : terms) term = std::exp2(exponent(random));
  FixedSum forward;
  FixedSum backward;
  long double exact = 0;
  for (const double term : terms) forward.Add(term);
  for (size_t i = terms.size(); i-- > 0;) backward.Add(terms[i]);
  for (const double term : terms) exact += static_cast<long double>(term);
  EXPECT_EQ(forward.Value(), backward.Value());
  EXPECT_NEAR(forward.Value(), static_cast<double>(exact), 1e-15 * static_cast<double>(exact));
  const double before = forward.Value();
  forward.Add(FixedSum::kLargestTerm);
  forward.Add(0x1p-79);
  forward.Remove(FixedSum::kLargestTerm);
  forward.Remove(0x1p-79);
  EXPECT_EQ(forward.Value(), before);
  for (const double term : terms) forward.Remove(term);
  EXPECT_EQ(forward.Value(), 0);
}

}  // namespace
}  // namespace thresher::learners

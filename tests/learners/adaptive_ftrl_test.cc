// What is particular to adaptive-ftrl: its experts are ftrl learners, and their shares follow their losses on
// new examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "learners/ftrl/hedge.h"
#include "tests/learners/random_stream.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

std::shared_ptr<const Learner> Make(std::string_view name, const OptionValues& options) {
  auto learner = MakeLearner(name, options);
  EXPECT_TRUE(learner.has_value()) << learner.error();
  return std::move(*learner);
}

// Three models of ftrl, in doubles, that know nothing of each other, and their average.
class SeparateExperts {
 public:
  explicit SeparateExperts(OptionValues options) {
    options["own_part"] = "0.5";
    for (const char* alpha : {"1.5", "0.5", "0.16666666666666666"}) {
      options["alpha"] = alpha;
      models_.emplace_back(Make("ftrl", options));
    }
  }

  double Score(const Example& example) const {
    double mean = 0;
    for (size_t k = 0; k < 3; ++k) mean += shares_[k] * models_[k].Score(example);
    return mean;
  }

  void Learn(const Example& example, double margin, Occasion occasion) {
    if (!models_[0].learner().WouldUpdate(margin, example.label)) return;
    const double shift = margin - Score(example);
    std::array<double, 3> margins = {};
    for (size_t k = 0; k < 3; ++k) margins[k] = models_[k].Score(example) + shift;
    for (size_t k = 0; k < 3; ++k) models_[k].LearnWithMargin(example, margins[k], occasion);
    if (occasion == Occasion::kAgain) return;
    const double y = example.label == Label::kSpam ? 1 : -1;
    double sum = 0;
    for (size_t k = 0; k < 3; ++k) {
      const double loss =
          occasion.IsMistake() ? 0.2 * static_cast<double>(k) : std::log(1 + std::exp(-y * margins[k]));
      losses_[k] = 0.99 * losses_[k] + loss;
      sum += shares_[k] = std::exp(-losses_[k]);
    }
    for (double& share : shares_) share /= sum;
  }

  const std::array<double, 3>& shares() const { return shares_; }

 private:
  std::vector<TestModel> models_;
  std::array<double, 3> losses_ = {};
  std::array<double, 3> shares_ = {1 / 3.0, 1 / 3.0, 1 / 3.0};
};

void ExpectTheAverage(const OptionValues& options, double tolerance, ValueShape shape = ValueShape::kEqual) {
  TestModel model(Make("adaptive-ftrl", options));
  SeparateExperts separate(options);
  RandomStream stream(12, 48, shape);
  std::mt19937_64 random(3);
  for (int step = 0; step < 3000; ++step) {
    const Example example = stream.Next();
    const double margin = model.Score(example);
    // With min_gradient only about: a separate expert that skipped an example has not seen its features. In
    // the joint model they count as seen if any expert took a step. How often a mistake counts depends on the
    // margin, so that a difference grows.
    ASSERT_NEAR(margin, separate.Score(example), tolerance) << step;
    const bool corrects = random() % 50 == 0;
    const Occasion occasion = corrects || random() % 3 == 0 ? Occasion::kAgain
                              : random() % 5 == 0           ? Occasion::Mistake(1e9)
                                                            : Occasion::kNew;
    const double given = corrects ? model.learner().MarginOfMistake(example.label) : margin;
    model.LearnWithMargin(example, given, occasion);
    separate.Learn(example, given, occasion);
  }
}

TEST(AdaptiveFtrl, IsTheAverageOfSeparateLearners) {
  ExpectTheAverage({{"min_gradient", "0"}}, 1e-3);
  ExpectTheAverage({{"bias", "on"}, {"l2", "0.01"}, {"significance", "0"}, {"min_gradient", "0.01"}}, 0.5);
  ExpectTheAverage({{"min_gradient", "0"}, {"significance", "0"}}, 1e-2, ValueShape::kOfKinds);  // groups
}

// An example without features changes no expert's weights here, only their shares.
TEST(AdaptiveFtrl, WhatIsLearnedAgainDoesNotChangeTheShares) {
  TestModel model(Make("adaptive-ftrl", {{"significance", "0"}, {"warm_up", "0"}}));
  RandomStream stream(5, 48);
  for (int step = 0; step < 100; ++step) model.Learn(stream.Next());
  const auto weights = [&] {
    std::vector<double> all;
    for (uint64_t id = 0; id < 48; ++id) all.push_back(model.Weight(id));
    return all;
  };
  const std::vector<double> before = weights();
  EXPECT_EQ(model.Learn({}, Occasion::kAgain).outcome, Outcome::kUpdated);
  EXPECT_EQ(weights(), before);
  EXPECT_EQ(model.Learn({}, Occasion::kNew).outcome, Outcome::kUpdated);
  EXPECT_NE(weights(), before);
}

// Examples with 30 of 300 features, labelled by hidden weights, of which every `wrong`-th label is wrong. No
// thresholds: what passes one can hang on the last bit.
std::array<double, 3> MeanShares(int wrong) {
  const OptionValues options = {{"significance", "0"}, {"min_gradient", "0"}};
  TestModel model(Make("adaptive-ftrl", options));
  SeparateExperts separate(options);
  std::mt19937_64 random(8);
  std::normal_distribution normal;
  std::vector<double> hidden(300);
  for (double& weight : hidden) weight = normal(random);
  std::array<double, 3> sums = {};
  for (int step = 0; step < 3000; ++step) {
    Example example;
    double hidden_margin = 0;
    for (uint64_t j = random() % 10; j < hidden.size(); j += 10) {
      const uint64_t id = j / 10 * 10 + random() % 10;
      example.ids.push_back(id);
      example.values.push_back(1 / std::sqrt(30.0F));
      hidden_margin += hidden[id];
    }
    example.label = (hidden_margin > 0) == (step % wrong != 0) ? Label::kSpam : Label::kHam;
    const double margin = model.Score(example);
    EXPECT_NEAR(margin, separate.Score(example), 1e-3);
    model.Learn(example);
    separate.Learn(example, margin, Occasion::kNew);
    for (size_t k = 0; k < 3; ++k) sums[k] += separate.shares()[k] / 3000;
  }
  return sums;
}

TEST(AdaptiveFtrl, WrongLabelsFavourSlowLearningAndRightOnesFast) {
  const std::array<double, 3> right = MeanShares(1000000);
  const std::array<double, 3> wrong = MeanShares(3);
  EXPECT_GT(right[0], 0.7) << right[1] << ' ' << right[2];
  EXPECT_GT(wrong[2], 0.5) << wrong[0] << ' ' << wrong[1];
  EXPECT_LT(wrong[0], 0.1);
}

TEST(AdaptiveFtrl, ForgetEveryResetsRowsOfWeightZero) {
  TestModel model(Make("adaptive-ftrl", {{"forget_every", "100"}, {"min_gradient", "0"}}));
  RandomStream stream(5, 48);
  while (model.steps() < 500) {
    model.Learn(stream.Next());
    if (model.steps() % 100 != 0) continue;
    for (const auto& [id, row] : model.LiveRows()) EXPECT_NE(model.Weight(id), 0) << id;
  }
  EXPECT_EQ(model.rebases(), 5);
}

// Floats in pairs: one that is not finite need not make a double of the pair that is not finite.
TEST(AdaptiveFtrl, ChecksEachFloatOfARow) {
  TestModel model(Make("adaptive-ftrl", {}));
  RandomStream stream(5, 48);
  for (int step = 0; step < 50; ++step) model.Learn(stream.Next());
  const std::vector<std::byte> row = model.rows().begin()->second;
  ASSERT_EQ(row.size(), 32U);
  ASSERT_TRUE(model.learner().IsSound(row.data(), model.globals()));
  const auto is_sound_with = [&](size_t at, float number) {
    std::vector<std::byte> changed = row;
    std::memcpy(changed.data() + sizeof(Counts) + at * sizeof number, &number, sizeof number);
    return model.learner().IsSound(changed.data(), model.globals());
  };
  for (size_t at = 0; at < 6; ++at) {
    EXPECT_TRUE(is_sound_with(at, 2));
    EXPECT_EQ(is_sound_with(at, -2), at < 3) << "a negative root, at " << at;
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), HUGE_VALF, -HUGE_VALF, 0x1p61F}) {
      EXPECT_FALSE(is_sound_with(at, bad)) << bad << " at " << at;
    }
  }
}

TEST(AdaptiveFtrl, ChecksSharesAndLosses) {
  TestModel model(Make("adaptive-ftrl", {}));
  const std::vector<std::byte> globals = model.globals();
  std::vector<double> words(globals.size() / sizeof(double));
  std::memcpy(words.data(), globals.data(), globals.size());
  const auto first_share = static_cast<size_t>(std::ranges::find(words, 1 / 3.0) - words.begin());
  ASSERT_LT(first_share + 2, words.size());
  const auto is_sound_with = [&](size_t at, double number) {
    std::vector<std::byte> changed = globals;
    std::memcpy(changed.data() + at * sizeof number, &number, sizeof number);
    return model.learner().AreGlobalsSound(changed);
  };
  EXPECT_FALSE(is_sound_with(first_share, 0.5)) << "the shares are more than 1";
  EXPECT_TRUE(is_sound_with(first_share - 1, 7)) << "a loss";
  for (const double bad : {-1.0, HUGE_VAL, std::nan("")}) {
    EXPECT_FALSE(is_sound_with(first_share + 1, bad)) << bad;
    EXPECT_FALSE(is_sound_with(first_share - 1, bad)) << bad;
  }
}

TEST(Hedge, SharesAreExponentialInRecentLosses) {
  Hedge<2> hedge;
  EXPECT_EQ(hedge.Mean({2, 4}), 3);
  hedge.Learn({1, 2}, 0.5);
  hedge.Learn({4, 1}, 0.5);
  EXPECT_NEAR(hedge.shares[1] / hedge.shares[0], std::exp(4.5 - 2), 1e-12);
  EXPECT_NEAR(hedge.Mean({1, 1}), 1, 1e-15);
  EXPECT_TRUE(hedge.IsSound());
}

TEST(Hedge, HugeLossesAreHarmless) {
  Hedge<3> hedge;
  for (int step = 0; step < 1000; ++step) hedge.Learn({1e200, 1e199, 1e210}, 1);
  EXPECT_EQ(hedge.shares[1], 1);
  for (const size_t other : {0U, 2U})
    EXPECT_GT(static_cast<float>(hedge.shares[other]) * 1e-8F, 1e-35F) << "its weights would disappear";
  EXPECT_TRUE(hedge.IsSound());
}

}  // namespace
}  // namespace thresher::learners

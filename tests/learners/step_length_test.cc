// How long steps are. Mistakes are examples that are taught because their verdict was wrong. A slip is taught
// as one although its verdict was right.
#include "learners/ftrl/step_length.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "learners/registry.h"
#include "tests/learners/test_model.h"

namespace thresher::learners {
namespace {

// However large the margin becomes.
constexpr Occasion kMistake = Occasion::Mistake(1e9);

TEST(TimesOf, AMistakeCountsTheLessTheSurerTheModelWas) {
  const auto times = [](double margin, Label label, Occasion occasion = kMistake) {
    return TimesOf({.margin = margin, .label = label, .occasion = occasion}, {});
  };
  EXPECT_NEAR(times(5, Label::kSpam), 3, 1e-4) << "the model agrees";
  EXPECT_NEAR(times(std::log(0.003 / 0.997) / 1.75, Label::kSpam), 2, 1e-12) << "as likely a slip as not";
  EXPECT_NEAR(times(std::log(0.997 / 0.003) / 1.75, Label::kHam), 2, 1e-12);
  EXPECT_NEAR(times(20, Label::kHam), 1, 1e-5);
  EXPECT_EQ(times(-1e300, Label::kSpam), 1);
  for (const Occasion other : {Occasion::kNew, Occasion::kAgain}) EXPECT_EQ(times(5, Label::kSpam, other), 1);
}

TEST(TimesOf, ALabelThatTheModelContradictsCountsLessIfItKnowsTheMessage) {
  const auto times = [](double margin, double familiar, Occasion occasion = Occasion::kNew) {
    return TimesOf({.margin = margin, .label = Label::kHam, .occasion = occasion},
                   {.seen = 4 * familiar, .all = 4});
  };
  EXPECT_NEAR(times(std::log(0.95 / 0.05), 1), 0.55, 1e-12) << "as likely wrong as not";
  EXPECT_NEAR(times(std::log(0.95 / 0.05), std::sqrt(0.5)), 1 - 0.45 / 16, 1e-12);
  EXPECT_NEAR(times(1e300, 1), 0.1, 1e-12);
  EXPECT_EQ(times(1e300, 0), 1) << "all of it is new";
  EXPECT_EQ(times(-1e-9, 1), 1) << "the model agrees";
  EXPECT_EQ(times(5, 1, Occasion::kAgain), 1);
}

// Each message has words of its class and words of its own.
struct SlipMail {
  static constexpr uint64_t kOfClass = 20;
  static constexpr uint64_t kOwn = 200;

  Example Next(Label label) {
    Example example{.ids = {}, .values = {}, .label = label};
    for (uint64_t j = 0; j < kOfClass; ++j) example.ids.push_back(label == Label::kSpam ? j : kOfClass + j);
    for (uint64_t j = 0; j < kOwn; ++j) example.ids.push_back(next_own++);
    example.values.assign(example.ids.size(), 1 / std::sqrt(static_cast<float>(example.ids.size())));
    return example;
  }
  uint64_t next_own = 2 * kOfClass;
};

class SlipTest : public testing::TestWithParam<const char*> {
 protected:
  SlipTest() : model_(MakeLearner(GetParam(), Options()).value()) {
    for (int i = 0; i < 400; ++i) model_.Learn(mail_.Next(i % 2 == 0 ? Label::kSpam : Label::kHam));
  }
  // An example changes the shares of experts, too. With all earlier losses in memory it hardly does.
  static OptionValues Options() {
    return std::string_view(GetParam()) == "adaptive-ftrl" ? OptionValues{{"memory", "1"}} : OptionValues();
  }
  static constexpr double kSure = 30;  // of all experts

  static Example AsHam(Example spam) {
    spam.label = Label::kHam;
    return spam;
  }
  static Example OwnWords(const Example& example) {
    Example own{.ids = {}, .values = {}, .label = example.label};
    for (size_t i = SlipMail::kOfClass; i < example.ids.size(); ++i) {
      own.ids.push_back(example.ids[i]);
      own.values.push_back(example.values[i]);
    }
    return own;
  }

  SlipMail mail_;
  TestModel model_;
};

TEST_P(SlipTest, WhatIsSurelyASlipMovesNoMoreThanAnyExample) {
  const Example spam = mail_.Next(Label::kSpam);
  const double sure = model_.Score(spam);
  ASSERT_GT(sure, 3);
  const auto moved_by = [&](Occasion occasion, double margin) {
    TestModel model = model_;
    model.LearnWithMargin(AsHam(spam), margin, occasion);
    return sure - model.Score(spam);
  };
  const double ordinary = moved_by(Occasion::kAgain, kSure);
  EXPECT_GT(ordinary, 0);
  EXPECT_LT(moved_by(kMistake, kSure), 1.02 * ordinary);
  EXPECT_GT(moved_by(kMistake, 0), 2 * moved_by(Occasion::kAgain, 0)) << "a verdict that was not sure";
}

TEST_P(SlipTest, AWrongLabelMovesWhatIsKnownLess) {
  const auto moved_by = [&](const Example& spam, Occasion occasion) {
    TestModel model = model_;
    model.LearnWithMargin(AsHam(spam), 5, occasion);
    return model_.Score(spam) - model.Score(spam);
  };
  const Example known = mail_.Next(Label::kSpam);
  model_.LearnWithMargin(known, 0, Occasion::kAgain);
  EXPECT_GT(moved_by(known, Occasion::kNew), 0);
  EXPECT_LT(moved_by(known, Occasion::kNew), 0.5 * moved_by(known, Occasion::kAgain));
  const Example mostly_new = mail_.Next(Label::kSpam);
  EXPECT_NEAR(moved_by(mostly_new, Occasion::kNew), moved_by(mostly_new, Occasion::kAgain), 0.01);
}

// A row that has only taken the rate of another one was not seen.
TEST_P(SlipTest, ARateIsNoExample) {
  const Example spam = mail_.Next(Label::kSpam);
  for (const uint64_t id : OwnWords(spam).ids) model_.TakeRate(id, 0);
  const auto moved_by = [&](Occasion occasion) {
    TestModel model = model_;
    model.LearnWithMargin(AsHam(spam), 5, occasion);
    return model_.Score(spam) - model.Score(spam);
  };
  EXPECT_GT(moved_by(Occasion::kNew), 0.8 * moved_by(Occasion::kAgain));
}

TEST_P(SlipTest, NoWordOfTheSlipAloneGetsAWeight) {
  const Example spam = mail_.Next(Label::kSpam);
  const auto weights = [&](double margin) {
    TestModel model = model_;
    model.LearnWithMargin(AsHam(spam), margin, kMistake);
    uint64_t count = 0;
    for (const uint64_t id : OwnWords(spam).ids) count += model.Weight(id) != 0 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(weights(kSure), 0U);
  EXPECT_EQ(weights(0), SlipMail::kOwn) << "three gradients are evidence enough";
}

TEST_P(SlipTest, WithTheRateOfACommonWordStepsAreShorter) {
  constexpr uint64_t kCommon = 0;  // of all spam
  const Example spam = mail_.Next(Label::kSpam);
  const uint64_t heir = spam.ids.back();
  const uint64_t other = spam.ids[spam.ids.size() - 2];
  model_.TakeRate(heir, kCommon);
  EXPECT_TRUE(model_.IsLive(heir));
  EXPECT_FALSE(model_.CountsOf(heir).Any());
  model_.LearnWithMargin(AsHam(spam), 0, kMistake);
  EXPECT_LT(model_.Weight(other), 0);
  EXPECT_GT(model_.Weight(heir), model_.Weight(other));
}

TEST_P(SlipTest, OtherMailStaysOnItsSide) {
  const Example spam = mail_.Next(Label::kSpam);
  const double before = model_.Score(spam);
  model_.LearnWithMargin(AsHam(spam), kSure, kMistake);
  EXPECT_GT(model_.Score(mail_.Next(Label::kSpam)), 0);
  EXPECT_LT(model_.Score(mail_.Next(Label::kHam)), 0);
  const double slipped = model_.Score(spam);
  EXPECT_LT(slipped, before);
  model_.LearnWithMargin(spam, model_.learner().MarginOfMistake(Label::kSpam), Occasion::kAgain);
  EXPECT_GT(model_.Score(spam), slipped) << "a correction";
}

// Without significance no feature gets its weight at once.
TEST_P(SlipTest, AStepIsNoLongerThanItMustBe) {
  const OptionValues options = {{"significance", "0"}};
  TestModel smooth(MakeLearner(GetParam(), options).value());
  for (int i = 0; i < 400; ++i) smooth.Learn(mail_.Next(i % 2 == 0 ? Label::kSpam : Label::kHam));
  const Example ham = AsHam(mail_.Next(Label::kSpam));
  const auto moves_by = [&](double margin, Occasion occasion) {
    TestModel model = smooth;
    model.LearnWithMargin(ham, margin, occasion);
    return smooth.Score(ham) - model.Score(ham);
  };
  int limited = 0;
  for (const double margin : {-1.0, 0.5, 2.0, 4.0, 30.0}) {
    const LabelledMargin given{.margin = margin, .label = Label::kHam};
    for (const double enough : {1.0, 4.0, 10.0, 20.0}) {
      const double wanted = margin + enough * ProbabilityOfMistake(given);
      const double longest = moves_by(margin, kMistake);
      const double moved = moves_by(margin, Occasion::Mistake(enough));
      EXPECT_NEAR(moved, std::min(wanted, longest), 0.05 * longest) << margin << ' ' << enough;
      limited += wanted < longest ? 1 : 0;
    }
  }
  EXPECT_GT(limited, 5);
  EXPECT_LT(limited, 20);
}

TEST_P(SlipTest, AMistakeThatNeedsNoStepTakesATenth) {
  const Example ham = AsHam(mail_.Next(Label::kSpam));
  TestModel model = model_;
  const auto step = model.LearnWithMargin(ham, -2, Occasion::Mistake(1));  // the margin is what it must be
  EXPECT_EQ(step.excess, 0);
  TestModel longer = model_;
  longer.LearnWithMargin(ham, -2, Occasion::kAgain);
  EXPECT_LT(model.Score(ham), model_.Score(ham));
  const double ordinary = model_.Score(ham) - longer.Score(ham);
  EXPECT_LT(model_.Score(ham) - model.Score(ham), 0.2 * ordinary);
  EXPECT_GT(model_.Score(ham) - model.Score(ham), 0.05 * ordinary);
}

TEST_P(SlipTest, AnOrdinaryStepCanBeLimited) {
  const Example ham = AsHam(mail_.Next(Label::kSpam));
  const auto moves_by = [&](Occasion occasion) {
    TestModel model = model_;
    EXPECT_EQ(model.LearnWithMargin(ham, 0.5, occasion).excess, 0);
    return model_.Score(ham) - model.Score(ham);
  };
  const double ordinary = moves_by(Occasion::kAgain);
  EXPECT_EQ(moves_by(Occasion::Again(1e9)), ordinary);
  EXPECT_LT(moves_by(Occasion::Again(0.05)), 0.9 * ordinary);
  EXPECT_LT(moves_by(Occasion::Again(1e-9)), moves_by(Occasion::Again(0.05)));
  EXPECT_GT(moves_by(Occasion::Again(1e-9)), 0);
}

TEST_P(SlipTest, AMistakeWithoutFeaturesChangesNoWeight) {
  TestModel model = model_;
  const Example empty{.ids = {}, .values = {}, .label = Label::kHam};
  EXPECT_EQ(model.LearnWithMargin(empty, 1, Occasion::Mistake(8)).outcome, Outcome::kUpdated);
  EXPECT_EQ(model.rows(), model_.rows());
}

// Groups learn from derivatives of their own; the derivative of squared loss may have the other sign.
TEST(LimitedStep, IsNoLongerThanTheLongest) {
  for (const OptionValues& options : {OptionValues{{"own_part", "0.5"}}, OptionValues{{"loss", "squared"}}}) {
    TestModel before(MakeLearner("ftrl", options).value());
    SlipMail mail;
    for (int i = 0; i < 400; ++i) before.Learn(mail.Next(i % 2 == 0 ? Label::kSpam : Label::kHam));
    Example ham = mail.Next(Label::kSpam);
    ham.label = Label::kHam;
    for (size_t i = 0; i < ham.values.size(); i += 3) ham.values[i] *= 2;
    const auto moves_by = [&](Occasion occasion) {
      TestModel model = before;
      model.Learn(ham, occasion);
      return before.Score(ham) - model.Score(ham);
    };
    EXPECT_GT(moves_by(Occasion::Mistake(2)), 0);
    EXPECT_LE(moves_by(Occasion::Mistake(2)), moves_by(kMistake) + 1e-12);
  }
}

TEST(LimitedStep, WantsNoLargerMarginThanTheLoss) {
  for (const char* loss : {"squared", "hinge"}) {
    TestModel model(MakeLearner("ftrl", {{"loss", loss}, {"significance", "0"}}).value());
    SlipMail mail;
    for (int i = 0; i < 400; ++i) model.Learn(mail.Next(i % 2 == 0 ? Label::kSpam : Label::kHam));
    Example ham = mail.Next(Label::kSpam);
    ham.label = Label::kHam;
    ASSERT_GT(model.Score(ham), 0.5);
    model.Learn(ham, Occasion::Mistake(8));
    EXPECT_NEAR(model.Score(ham), -1, 0.5) << loss;
  }
}

TEST_P(SlipTest, ALearnerSaysWhatAMistakeCountsBeyondOnce) {
  const Example ham = AsHam(mail_.Next(Label::kSpam));
  const auto excess = [&](const TestModel& before, double margin, Occasion occasion) {
    TestModel model = before;
    return model.LearnWithMargin(ham, margin, occasion).excess;
  };
  for (const double margin : {-2.0, 0.5, 2.0}) {
    const double times = TimesOf({.margin = margin, .label = Label::kHam, .occasion = kMistake}, {});
    EXPECT_NEAR(excess(model_, margin, kMistake), (times - 1) / (1 + std::exp(-margin)), 0.01);
    EXPECT_LT(excess(model_, margin, Occasion::Mistake(2)), excess(model_, margin, kMistake));
    EXPECT_EQ(excess(model_, margin, Occasion::kAgain), 0);
    EXPECT_EQ(excess(TestModel(MakeLearner("lazy-sgd", {}).value()), margin, kMistake), 0)
        << "as any example";
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, SlipTest, testing::Values("ftrl", "adaptive-ftrl"), [](const auto& test) {
  return std::string(test.param == std::string("ftrl") ? "Ftrl" : "AdaptiveFtrl");
});

}  // namespace
}  // namespace thresher::learners

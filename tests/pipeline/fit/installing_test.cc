// Fitted weights as the live model: they score, are learned from, and survive reopening.
#include "pipeline/fit/installing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/check/model_check.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/fit/fitting.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class InstallingTest : public testing::Test {
 protected:
  std::filesystem::path Directory() const { return directory_.path() / "model"; }
  std::unique_ptr<Model> Open() const {
    WriteAccess access;
    access.durability = storage::Durability::kOs;
    auto model = OpenOrCreateModel(Directory(), settings_, access);
    EXPECT_TRUE(model.has_value());
    return *std::move(model);
  }
  static tokenizer::Features FeaturesOf(Model& model, const std::string& message) {
    tokenizer::Features features;
    model.identity().MakeTokenizer().Tokenize(message, tokenizer::Kind::kMail, &features);
    return features;
  }
  static void Teach(Model& model, int first, int count, Evidence evidence = Evidence::kStream) {
    for (int i = first; i < first + count; ++i) {
      const bool spam = i % 2 == 0;
      const auto features = FeaturesOf(model, spam ? SpamMessage(i) : HamMessage(i));
      ASSERT_TRUE(
          model.Learn(features, {std::to_string(i), ""}, {spam ? Label::kSpam : Label::kHam, evidence})
              .has_value());
    }
    ASSERT_TRUE(model.Checkpoint().has_value());
  }
  // Fits the examples taught so far; *weights are the result.
  Installation Fitting(std::vector<double>* weights) const {
    auto stored = LoadStoredExamples(Directory(), settings_, {});
    EXPECT_TRUE(stored.has_value());
    FitOptions options;
    options.options = {{"l2", "0.001"}};
    auto fitted = Fit(stored->store, options);
    EXPECT_TRUE(fitted.has_value());
    auto installation = InstallationOf(stored->store, fitted->weights, stored->last_seq);
    *weights = fitted->weights;
    return installation;
  }
  // Installs a fit of the messages below `count`, and expects the probabilities that ScoresOf says before.
  // Returns what the model multiplies margins by.
  double InstallAsForetold(Model& model, int count) const {
    std::vector<double> weights;
    const auto installation = Fitting(&weights);
    const auto examples = LoadStoredExamples(Directory(), settings_, {});
    const auto globals = GlobalsOnceInstalled(Directory(), settings_);
    EXPECT_TRUE(examples && globals && model.Install(installation));
    const std::vector<Score> scores = ScoresOf(examples->store, weights, *globals);
    const double factor = model.Inspect().taught().MarginFactor();
    for (int i = 0; i < count; ++i) {
      const Score& expected = scores[static_cast<size_t>(i)];
      const auto score = model.Classify(FeaturesOf(model, i % 2 == 0 ? SpamMessage(i) : HamMessage(i)));
      EXPECT_NEAR(expected.probability, 1 / (1 + std::exp(-factor * expected.margin)), 1e-12);
      EXPECT_NEAR(score->probability, expected.probability, 1e-7);  // rows of floats
    }
    return factor;
  }

  TestDirectory directory_;
  Settings settings_;
};

TEST_F(InstallingTest, TheModelScoresByTheFittedWeights) {
  for (const char* learner : {"ftrl", "lazy-fobos", "lazy-sgd"}) {
    settings_.model = learner;
    ASSERT_TRUE(settings_.Assign(std::string("learner.name=") + learner).has_value());
    std::filesystem::remove_all(Directory());
    auto model = Open();
    Teach(*model, 0, 40);
    std::vector<double> weights;
    auto examples = LoadStoredExamples(Directory(), settings_, {});
    const auto installation = Fitting(&weights);
    const auto left_out = model->Install(installation);
    ASSERT_TRUE(left_out.has_value()) << left_out.error().message;
    EXPECT_EQ(*left_out, 0U);
    const auto view = examples->store.View();
    for (int i = 0; i < 40; ++i) {
      const auto features = FeaturesOf(*model, i % 2 == 0 ? SpamMessage(i) : HamMessage(i));
      const auto score = model->Classify(features);
      ASSERT_TRUE(score.has_value());
      EXPECT_NEAR(score->margin, learners::batch::Dot(view.rows[static_cast<size_t>(i)], weights), 1e-9)
          << learner;
      EXPECT_EQ(score->probability > 0.5, i % 2 == 0);
    }
    EXPECT_EQ(model->Inspect().Statistics()->ham, 20U);
  }
}

TEST_F(InstallingTest, ProbabilitiesBeginAsThoseOfTheMargins) {
  auto model = Open();
  Teach(*model, 0, 160);
  EXPECT_EQ(InstallAsForetold(*model, 160), 1);
}

// The model multiplies the margins of a small archive, whatever weights they come from.
TEST_F(InstallingTest, TheProbabilitiesAfterASmallArchiveAreKnownBefore) {
  auto model = Open();
  Teach(*model, 0, 24, Evidence::kArchive);
  EXPECT_GT(InstallAsForetold(*model, 24), 1.2);
}

TEST_F(InstallingTest, WhatIsTaughtMeanwhileIsLearnedOnTop) {
  settings_.rehearsal.draws = 0;  // it is learned without rehearsal
  auto model = Open();
  Teach(*model, 0, 40);
  std::vector<double> weights;
  const auto installation = Fitting(&weights);
  Teach(*model, 40, 6);  // the store grows while fitting
  ASSERT_TRUE(model->Install(installation).has_value());
  EXPECT_EQ(model->Inspect().log().last_seq, 46U);
  EXPECT_EQ(model->Inspect().Statistics()->ham, 23U);
  const auto features = FeaturesOf(*model, SpamMessage(44));
  const double grown = model->Classify(features)->margin;

  // The weights were installed before the model was taught these examples.
  std::filesystem::remove_all(Directory());
  model.reset();
  model = Open();
  Teach(*model, 0, 40);
  const auto again = Fitting(&weights);
  ASSERT_TRUE(model->Install(again).has_value());
  Teach(*model, 40, 6);
  EXPECT_NEAR(model->Classify(FeaturesOf(*model, SpamMessage(44)))->margin, grown, 1e-9);
}

TEST_F(InstallingTest, SoIsAReplyOfANamedUser) {
  settings_.rehearsal.draws = 0;
  const auto reply = [](Model& model) {
    tokenizer::Features features;
    model.identity().MakeTokenizer().Tokenize(SpamMessage(44), tokenizer::Kind::kMail, &features, "alice");
    const tokenizer::MessageKey key{tokenizer::MessageIdOf("alice", "44"), ""};
    ASSERT_TRUE(model.Learn(features, key, {Label::kHam, Evidence::kReply}).has_value());
    ASSERT_TRUE(model.Checkpoint().has_value());
  };
  std::vector<double> margins;
  for (const bool is_late : {false, true}) {
    std::filesystem::remove_all(Directory());
    const auto model = Open();
    Teach(*model, 0, 40);
    std::vector<double> weights;
    const auto installation = Fitting(&weights);
    if (is_late) reply(*model);
    ASSERT_TRUE(model->Install(installation).has_value());
    if (!is_late) reply(*model);
    margins.push_back(model->Classify(FeaturesOf(*model, SpamMessage(44)))->margin);
  }
  EXPECT_NEAR(margins[0], margins[1], 1e-9);
}

TEST_F(InstallingTest, AnInstalledModelIsSoundAndOpensAgain) {
  auto model = Open();
  Teach(*model, 0, 40);
  std::vector<double> weights;
  const auto installation = Fitting(&weights);
  ASSERT_TRUE(model->Install(installation).has_value());
  const auto features = FeaturesOf(*model, SpamMessage(2));
  const double margin = model->Classify(features)->margin;
  model.reset();
  const auto check = CheckModel(Directory(), settings_, [](uint64_t, uint64_t) {});
  ASSERT_TRUE(check.has_value());
  EXPECT_THAT(check->wrong, IsEmpty());
  model = Open();
  EXPECT_EQ(model->Classify(features)->margin, margin);
  const auto vocabulary = model->Inspect().vocabulary().All();
  ASSERT_TRUE(vocabulary.has_value());
  std::vector<uint64_t> ids;
  for (const VocabularyEntry& entry : *vocabulary) ids.push_back(entry.id);
  EXPECT_TRUE(model->Inspect().vocabulary().Texts(ids).has_value());
  Teach(*model, 40, 4);
}

TEST_F(InstallingTest, AnotherModelInItsPlaceIsLeftAlone) {
  Teach(*Open(), 0, 10);
  const auto examples = LoadStoredExamples(Directory(), settings_, {});
  ASSERT_TRUE(examples.has_value());
  const std::vector<double> weights(examples->store.ids().size(), 1);
  std::filesystem::remove_all(Directory());
  auto model = Open();
  Teach(*model, 0, 10);
  const auto installed = Install(*examples, weights, *model);
  ASSERT_FALSE(installed.has_value());
  EXPECT_EQ(installed.error().exit_code, kData);
  EXPECT_THAT(installed.error().message, HasSubstr("has been replaced"));
}

// The number of its last example is then that of a later one.
TEST_F(InstallingTest, SoIsOneWhoseExamplesWereNumberedAnew) {
  const std::string store = directory_ / "store";
  settings_.store_path = store;
  const auto learn = [&](int i) {
    const bool spam = i % 2 == 0;
    const auto ran = RunThresher({"learn", spam ? "--spam" : "--ham", "--store", store},
                                 spam ? SpamMessage(i) : HamMessage(i));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  };
  for (int i = 0; i < 6; ++i) learn(i);
  const auto examples = LoadStoredExamples(ModelDirectory(settings_), settings_, {});
  ASSERT_TRUE(examples.has_value());
  const std::vector<double> weights(examples->store.ids().size(), 1);
  ASSERT_EQ(RunThresher({"forget", "--store", store, "-"}, SpamMessage(2)).exit_code, 0);
  ASSERT_EQ(RunThresher({"rebuild", "--store", store}).exit_code, 0);
  for (int i = 6; i < 8; ++i) learn(i);
  auto model = OpenModel(ModelDirectory(settings_), settings_, TeachingAccess(settings_));
  ASSERT_TRUE(model.has_value());
  const auto installed = Install(*examples, weights, **model);
  ASSERT_FALSE(installed.has_value());
  EXPECT_THAT(installed.error().message, HasSubstr("replaced or rebuilt"));
}

TEST_F(InstallingTest, LearnersThatCannotGoOnSaySo) {
  const std::string store = directory_ / "store";
  for (int i = 0; i < 2; ++i) {
    RunThresher({"learn", "--spam", "--store", store, "--set", "learner.name=eg"}, SpamMessage(i));
    RunThresher({"learn", "--ham", "--store", store}, HamMessage(i));
  }
  const Ran ran = RunThresher({"fit", "--install", "--store", store});
  EXPECT_EQ(ran.exit_code, kConfig);
  EXPECT_THAT(ran.err, HasSubstr("learner eg cannot continue"));
  EXPECT_EQ(ran.out, "");  // before it fits
  EXPECT_EQ(RunThresher({"fit", "--install", "x", "--store", store}).exit_code, kUsage);
  ASSERT_EQ(RunThresher({"rebuild", "--learner", "ftrl", "--store", store}).exit_code, 0);
  const Ran done = RunThresher({"fit", "--install", "--insist", "--store", store});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("installed: "));
  EXPECT_EQ(RunThresher({"check", "--store", store}).exit_code, 0);
}

}  // namespace
}  // namespace thresher::pipeline

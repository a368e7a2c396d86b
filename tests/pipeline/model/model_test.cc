// The model: learning is exact, learns each example once, and continues bit for bit after an interruption.
#include "pipeline/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "tests/pipeline/model/model_fixture.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

class ModelTest : public ModelFixture {};

TEST_P(ModelTest, InterruptionsChangeNoBit) {
  const auto reference = Open("reference");
  auto interrupted = Open("interrupted", 17);
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const Score expected = Learn(*reference, i);
    const Score got = Learn(*interrupted, i);
    ASSERT_EQ(expected.margin, got.margin) << i;
    ASSERT_EQ(expected.probability, got.probability) << i;
    if (random() % 13 == 0) {
      // Without a checkpoint: examples learned since the last one are recovered from the log.
      interrupted.reset();
      interrupted = Open("interrupted", 17);
    }
  }
  EXPECT_EQ(WeightsOf(*reference), WeightsOf(*interrupted));
  const auto a = reference->Inspect().Statistics();
  const auto b = interrupted->Inspect().Statistics();
  EXPECT_EQ(a->ham, b->ham);
  EXPECT_EQ(a->spam, b->spam);
  // Another seed changes the registers of the counter: allow ten standard errors.
  EXPECT_NEAR(a->features_seen, b->features_seen, 0.16 * a->features_seen);
}

TEST_P(ModelTest, LearningScoresLikeClassifying) {
  const auto model = Open("model");
  for (int i = 0; i < 120; ++i) {
    const Score classified = Classify(*model, i);
    const Score learned = Learn(*model, i);
    ASSERT_EQ(classified.margin, learned.margin);
    ASSERT_EQ(classified.probability, learned.probability);
  }
}

TEST_P(ModelTest, ReadersSeeTheLastCheckpoint) {
  const auto writer = Open("model");
  for (int i = 0; i < 50; ++i) Learn(*writer, i);
  ASSERT_TRUE(writer->Checkpoint().has_value());
  const Score expected = Classify(*writer, 99);
  const auto reader = OpenForReading(directory_ / "model", settings_);
  ASSERT_TRUE(reader.has_value()) << reader.error().message;
  EXPECT_EQ(Classify(*reader, 99).margin, expected.margin);
  for (int i = 50; i < 60; ++i) Learn(*writer, i);
  EXPECT_EQ(Classify(*reader, 99).margin, expected.margin);
}

TEST_P(ModelTest, EveryWeightHasAText) {
  const auto model = Open("model", 10);
  for (int i = 0; i < 60; ++i) Learn(*model, i);
  const Weights weights = WeightsOf(*model);
  EXPECT_GT(weights.size(), 100u);
  for (const auto& [text, weight] : weights) EXPECT_NE(text.find(':'), std::string::npos) << text;
}

TEST_P(ModelTest, TaughtExamplesAreFoundByKey) {
  const auto model = Open("model");
  Learn(*model, 0);
  Learn(*model, 1);
  EXPECT_EQ(model->Messages().LabelOf({"message0", ""}).value(), Label::kSpam);
  EXPECT_EQ(model->Messages().LabelOf({"message1", ""}).value(), Label::kHam);
  EXPECT_EQ(model->Messages().LabelOf({"message2", ""}).value(), std::nullopt);
  Features features;
  model->identity().MakeTokenizer().Tokenize(MessageNumber(1), tokenizer::Kind::kMail, &features);
  EXPECT_EQ(model->Messages().FeaturesOf({"message1", ""}).value()->ids, features.ids);
}

TEST_P(ModelTest, AnArchiveOfOneClassTellsNothing) {
  const auto archive = Open("archive");
  const auto stream = Open("stream");
  for (int i = 0; i < 90; i += 3) Learn(*archive, i, Evidence::kArchive);
  for (int i = 0; i < 90; i += 3) Learn(*stream, i);
  EXPECT_FALSE(archive->Inspect().taught().CanTell());
  EXPECT_EQ(Classify(*archive, 99).probability, 0.5);
  EXPECT_GT(Classify(*stream, 99).probability, 0.7);
  for (int i = 1; i < 30; i += 3) Learn(*archive, i, Evidence::kArchive);
  EXPECT_TRUE(archive->Inspect().taught().CanTell());
  EXPECT_NE(Classify(*archive, 99).probability, 0.5);
}

TEST_P(ModelTest, RepliesDoNotChangeTheCalibration) {
  const auto model = Open("model");
  for (int i = 0; i < 200; ++i) Learn(*model, i);
  const auto before = model->Inspect().Statistics()->calibration;
  for (int i = 200; i < 240; ++i) Learn(*model, i, Evidence::kReply);
  const auto after = model->Inspect().Statistics()->calibration;
  EXPECT_EQ(before.slope, after.slope);
  EXPECT_EQ(before.intercept, after.intercept);
  Learn(*model, 240);
  EXPECT_NE(model->Inspect().Statistics()->calibration.intercept, before.intercept);
}

TEST(ModelFinishTest, AcknowledgesNothingIntoAModelThatWasRemoved) {
  const TestDirectory directory;
  const Settings settings;
  const std::filesystem::path path = directory / "model";
  auto model = OpenOrCreateModel(path, settings, TeachingAccess(settings)).value();
  Features features;
  model->identity().MakeTokenizer().Tokenize(MessageNumber(1), tokenizer::Kind::kMail, &features);
  ASSERT_TRUE(model->Learn(features, {"id", ""}, {LabelNumber(1), Evidence::kStream}));
  std::filesystem::rename(path, directory / "moved");
  const auto finished = model->Finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().exit_code, kNoInput) << finished.error().message;
}

TEST(ModelStatisticsTest, RowsThatBecamePrunableLaterAreCounted) {
  const TestDirectory directory;
  Settings settings;
  settings.learner = "lazy-sgd";
  settings.learner_options["l1"] = "0.001";
  settings.learner_options["min_gradient"] = "0";
  settings.rehearsal.draws = 0;  // it keeps rows alive
  WriteAccess access;
  access.durability = storage::Durability::kOs;
  const auto learn = [&](const std::vector<int>& numbers) {
    auto model = OpenOrCreateModel(directory / "model", settings, access).value();
    auto tokenizer = model->identity().MakeTokenizer();
    for (const int i : numbers) {
      Features features;
      tokenizer.Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      ASSERT_TRUE(model->Learn(features, {std::to_string(i), ""}, {LabelNumber(i), Evidence::kStream}));
    }
    ASSERT_TRUE(model->Checkpoint());
  };
  const auto statistics = [&] { return OpenForReading(directory / "model", settings)->Statistics().value(); };
  learn({0});
  EXPECT_EQ(statistics().prunable_rows, 0U);
  for (int i = 0; i < 25; ++i) learn({1, 3});
  EXPECT_GT(statistics().prunable_rows, 0U);
  EXPECT_LE(statistics().prunable_rows, statistics().stored_rows - statistics().nonzeros);
}

// An example that is taught from the log has no text for a row that was pruned in the meantime.
TEST(ModelFeedbackTest, EveryWeightLearnedFromTheLogHasAText) {
  const TestDirectory directory;
  Settings settings;
  settings.learner = "lazy-sgd";
  settings.learner_options["l1"] = "0.003";
  auto model = *OpenOrCreateModel(directory / "model", settings, {});
  const auto key = [](int i) { return tokenizer::MessageKey{"message" + std::to_string(i), ""}; };
  for (int i = 0; i < 60; ++i) {
    Features features;
    model->identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    ASSERT_TRUE(model->Learn(features, key(i), {LabelNumber(i), Evidence::kStream}).has_value());
  }
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(model->Checkpoint().has_value());  // removes prunable rows
    const auto features = model->Messages().FeaturesOf(key(i));
    ASSERT_TRUE(features.has_value() && features->has_value());
    const Label other = OtherClass(LabelNumber(i));
    ASSERT_TRUE(model->Learn(**features, key(i), {other, Evidence::kReply}).has_value());
    EXPECT_FALSE(WeightsOf(*model).empty());
  }
}

TEST_P(ModelTest, AnotherTokenizersModelIsRefused) {
  {
    const auto model = Open("model");
    Learn(*model, 0);
  }
  {
    storage::Meta meta;
    {
      auto database = storage::Database::OpenForReading(directory_ / "model");
      ASSERT_TRUE(database.has_value());
      meta = (*database)->meta();
    }
    meta.find("tokenizer")->second = "thresher-tokens-0";
    auto made = storage::Database::OpenOrCreate(directory_ / "old", meta, storage::Durability::kOs,
                                                std::chrono::milliseconds(0));
    ASSERT_TRUE(made.has_value()) << made.error().message;
  }
  const auto refused = OpenForReading(directory_ / "old", settings_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("thresher-tokens-0"));
}

INSTANTIATE_TEST_SUITE_P(Learners, ModelTest, SeveralLearners(), NameOfCase);

}  // namespace
}  // namespace thresher::pipeline

// The model: learning is exact, once, and survives interruption to the bit.
#include "pipeline/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

// Ids differ between models (their seeds do); texts do not.
using Weights = std::map<std::string, std::tuple<double, uint32_t, uint32_t>>;

Weights WeightsOf(Model& model) {
  Weights weights;
  const auto vocabulary = model.Vocabulary();
  EXPECT_TRUE(vocabulary.has_value());
  for (const VocabularyEntry& entry : *vocabulary) {
    const auto texts = model.Texts(std::span(&entry.id, 1));
    EXPECT_TRUE(texts.has_value()) << texts.error().message;
    weights[texts->front()] = {entry.weight, entry.counts.ham, entry.counts.spam};
  }
  return weights;
}

std::string MessageNumber(int i) { return i % 3 == 0 ? SpamMessage(i) : HamMessage(i); }
Label LabelNumber(int i) { return i % 3 == 0 ? Label::kSpam : Label::kHam; }

class ModelTest : public testing::TestWithParam<const char*> {
 protected:
  ModelTest() { settings_.learner = GetParam(); }

  std::unique_ptr<Model> Open(const std::string& name, uint64_t checkpoint_every = 1000000) {
    Model::WriteAccess access;
    access.durability = storage::Durability::kOs;
    access.checkpoint_every = checkpoint_every;
    access.keep = keep_;
    auto model = Model::OpenOrCreate(directory_ / name, settings_, access);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return *std::move(model);
  }
  static Score Learn(Model& model, int i, Evidence evidence = Evidence::kStream) {
    return LearnAs(model, i, LabelNumber(i), evidence);
  }
  static Score LearnAs(Model& model, int i, Label label, Evidence evidence = Evidence::kStream) {
    Features features;
    model.MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    const auto learned = model.Learn(features, label, {"message" + std::to_string(i), ""}, evidence);
    EXPECT_TRUE(learned.has_value()) << learned.error().message;
    return learned->before;
  }
  static Score Classify(Model& model, int i) {
    Features features;
    model.MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    return model.Classify(features).value();
  }

  TestDirectory directory_;
  Settings settings_;
  LogLimits keep_;
};

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
      // Without a checkpoint: what was learned since the last one comes back from the log.
      interrupted.reset();
      interrupted = Open("interrupted", 17);
    }
  }
  EXPECT_EQ(WeightsOf(*reference), WeightsOf(*interrupted));
  const auto a = reference->Statistics();
  const auto b = interrupted->Statistics();
  EXPECT_EQ(a->ham, b->ham);
  EXPECT_EQ(a->spam, b->spam);
  // Other seeds, other registers: ten standard errors.
  EXPECT_NEAR(a->features_seen, b->features_seen, 0.16 * a->features_seen);
}

// Runs of ten of one class, in which earlier examples of the other are drawn from the log.
int InRuns(int i) { return i / 10 % 2 == 0 ? 3 * i : 3 * i + 1; }

TEST_P(ModelTest, NeitherDoInterruptionsOfALogThatExpires) {
  keep_.bytes = 400000;
  const auto reference = Open("reference");
  auto interrupted = Open("interrupted", 17);
  std::mt19937 random(3);
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(Learn(*reference, InRuns(i)).margin, Learn(*interrupted, InRuns(i)).margin) << i;
    if (random() % 29 == 0) {
      interrupted.reset();
      interrupted = Open("interrupted", 17);
    }
  }
  EXPECT_GT(reference->expired_examples(), 0U);
  EXPECT_LT(reference->expired_examples(), 512U);
  EXPECT_EQ(interrupted->expired_examples(), reference->expired_examples());
  EXPECT_EQ(WeightsOf(*reference), WeightsOf(*interrupted));

  ASSERT_TRUE(interrupted->Compact().has_value());
  const std::string oldest = "message" + std::to_string(InRuns(0));
  EXPECT_EQ(interrupted->TaughtLabel({oldest, ""}).value(), std::nullopt);
  EXPECT_TRUE(interrupted->KeysOf(oldest).value().empty());
  EXPECT_EQ(interrupted->TaughtLabel({"message" + std::to_string(InRuns(599)), ""}).value(), Label::kHam);

  // What is left makes a model whose weights can be read.
  auto learner = learners::MakeLearner(GetParam(), {});
  ASSERT_TRUE(interrupted->Rebuild(std::move(*learner), Model::Labels::kAsTaught, nullptr).has_value());
  EXPECT_GT(WeightsOf(*interrupted).size(), 100U);
  EXPECT_EQ(interrupted->Statistics()->expired, reference->expired_examples());
  EXPECT_EQ(interrupted->Statistics()->ham + interrupted->Statistics()->spam + reference->expired_examples(),
            600U);
}

// A clock that jumped says that all but the newest are old.
TEST_P(ModelTest, NoMoreThanTwoExamplesExpireForEachThatComes) {
  keep_.days = 1e-12;
  const auto model = Open("model");
  for (int i = 0; i < 256; ++i) Learn(*model, i);
  EXPECT_EQ(model->expired_examples(), 255U);
  keep_.days = 0;
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
  const auto reader = Model::OpenForReading(directory_ / "model", settings_);
  ASSERT_TRUE(reader.has_value()) << reader.error().message;
  EXPECT_EQ(Classify(**reader, 99).margin, expected.margin);
  for (int i = 50; i < 60; ++i) Learn(*writer, i);
  EXPECT_EQ(Classify(**reader, 99).margin, expected.margin);
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
  EXPECT_EQ(model->TaughtLabel({"message0", ""}).value(), Label::kSpam);
  EXPECT_EQ(model->TaughtLabel({"message1", ""}).value(), Label::kHam);
  EXPECT_EQ(model->TaughtLabel({"message2", ""}).value(), std::nullopt);
  Features features;
  model->MakeTokenizer().Tokenize(MessageNumber(1), tokenizer::Kind::kMail, &features);
  EXPECT_EQ(model->TaughtFeatures({"message1", ""}).value()->ids, features.ids);
}

// Message numbers sorted by class: every third is spam.
std::vector<int> SortedByClass(int count, bool spam_first) {
  std::vector<int> numbers;
  for (const bool spam : {spam_first, !spam_first}) {
    for (int i = 0; i < count; ++i) {
      if ((i % 3 == 0) == spam) numbers.push_back(i);
    }
  }
  return numbers;
}

// What was taught first is not forgotten over what comes after.
TEST_P(ModelTest, OneClassAfterTheOther) {
  for (const bool spam_first : {false, true}) {
    const auto model = Open(spam_first ? "spam-first" : "ham-first");
    for (const int i : SortedByClass(300, spam_first)) Learn(*model, i, Evidence::kArchive);
    int right = 0;
    for (int i = 300; i < 400; ++i)
      right += (Classify(*model, i).margin > 0) == (LabelNumber(i) == Label::kSpam) ? 1 : 0;
    EXPECT_GE(right, 95) << (spam_first ? "spam first" : "ham first");
  }
}

TEST_P(ModelTest, InterruptionsChangeNoBitOfARehearsal) {
  const auto reference = Open("reference");
  auto interrupted = Open("interrupted", 17);
  int taught = 0;
  for (const int i : SortedByClass(150, true)) {
    ASSERT_EQ(Learn(*reference, i).margin, Learn(*interrupted, i).margin) << i;
    if (++taught % 11 != 0) continue;
    interrupted.reset();
    interrupted = Open("interrupted", 17);
  }
  EXPECT_EQ(WeightsOf(*reference), WeightsOf(*interrupted));
}

TEST_P(ModelTest, AnArchiveOfOneClassTellsNothing) {
  const auto archive = Open("archive");
  const auto stream = Open("stream");
  for (int i = 0; i < 90; i += 3) Learn(*archive, i, Evidence::kArchive);
  for (int i = 0; i < 90; i += 3) Learn(*stream, i);
  EXPECT_FALSE(archive->CanTell());
  EXPECT_EQ(Classify(*archive, 99).probability, 0.5);
  EXPECT_GT(Classify(*stream, 99).probability, 0.7);
  for (int i = 1; i < 30; i += 3) Learn(*archive, i, Evidence::kArchive);
  EXPECT_TRUE(archive->CanTell());
  EXPECT_NE(Classify(*archive, 99).probability, 0.5);
}

TEST_P(ModelTest, RepliesDoNotMoveTheMeaningOfMargins) {
  const auto model = Open("model");
  for (int i = 0; i < 200; ++i) Learn(*model, i);
  const auto before = model->Statistics()->calibration;
  for (int i = 200; i < 240; ++i) Learn(*model, i, Evidence::kReply);
  const auto after = model->Statistics()->calibration;
  EXPECT_EQ(before.slope, after.slope);
  EXPECT_EQ(before.intercept, after.intercept);
  Learn(*model, 240);
  EXPECT_NE(model->Statistics()->calibration.intercept, before.intercept);
}

TEST_P(ModelTest, RebuiltIsTaughtFromTheStart) {
  const auto reference = Open("reference");
  for (int i = 0; i < 150; ++i) Learn(*reference, i);

  settings_.learner = "truncated-gradient";
  {
    const auto other = Open("model", 40);
    for (int i = 0; i < 150; ++i) Learn(*other, i);
    ASSERT_TRUE(other->Checkpoint().has_value());
  }
  settings_.learner = GetParam();
  uint64_t last = 0;
  {
    const auto model = Open("model");
    EXPECT_EQ(model->learner().Name(), "truncated-gradient");
    auto learner = learners::MakeLearner(GetParam(), {});
    ASSERT_TRUE(
        model->Rebuild(*std::move(learner), Model::Labels::kAsTaught, [&last](uint64_t seq) { last = seq; })
            .has_value());
    EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
    Learn(*model, 150);
  }
  Learn(*reference, 150);
  EXPECT_EQ(last, 150U);
  const auto reopened = Open("model");
  EXPECT_EQ(reopened->learner().Name(), GetParam());
  EXPECT_EQ(WeightsOf(*reopened), WeightsOf(*reference));
  EXPECT_EQ(Classify(*reopened, 7).probability, Classify(*reference, 7).probability);
  EXPECT_EQ(reopened->Statistics()->spam, reference->Statistics()->spam);
}

// A message taught wrongly among others, which bring the model round, and corrected: the words that it has
// for itself no longer say what the mistake made them say.
TEST_P(ModelTest, ACorrectionTakesTheMistakeBack) {
  const auto model = Open("model");
  for (int i = 0; i < 60; ++i) Learn(*model, i);
  constexpr int kSpam = 63;
  static_assert(kSpam % 3 == 0);
  LearnAs(*model, kSpam, Label::kHam);
  for (int i = 64; i < 120; ++i) Learn(*model, i);

  Features features;
  model->MakeTokenizer().Tokenize(MessageNumber(kSpam), tokenizer::Kind::kMail, &features);
  const std::vector<VocabularyEntry> all = model->Lookup(features.ids).value();
  std::vector<uint64_t> its_own;
  double mistaken = 0;
  for (const VocabularyEntry& entry : all) {
    if (entry.counts.ham + entry.counts.spam != 1 || entry.weight >= 0) continue;
    its_own.push_back(entry.id);
    mistaken += entry.weight;
  }
  if (its_own.empty()) GTEST_SKIP() << "this learner has forgotten them by itself";
  Learn(*model, kSpam, Evidence::kCorrection);
  const std::vector<VocabularyEntry> after = model->Lookup(its_own).value();
  const double corrected = std::accumulate(after.begin(), after.end(), 0.0,
                                           [](double sum, const auto& entry) { return sum + entry.weight; });
  EXPECT_GT(corrected, mistaken / 2);
}

TEST_P(ModelTest, RebuiltCorrectedNobodyEverErred) {
  const auto reference = Open("reference");
  const auto model = Open("model", 40);
  const auto is_mistaken = [](int i) { return i % 7 == 3; };
  const auto wrong = [](int i) { return LabelNumber(i) == Label::kSpam ? Label::kHam : Label::kSpam; };
  for (int i = 0; i < 150; ++i) {
    Learn(*reference, InRuns(i));
    LearnAs(*model, InRuns(i), is_mistaken(i) ? wrong(InRuns(i)) : LabelNumber(InRuns(i)));
  }
  for (int i = 0; i < 150; ++i) {  // corrected, some back and forth
    if (!is_mistaken(i)) continue;
    Learn(*model, InRuns(i), Evidence::kCorrection);
    if (i % 2 == 0) LearnAs(*model, InRuns(i), wrong(InRuns(i)), Evidence::kCorrection);
    if (i % 2 == 0) Learn(*model, InRuns(i), Evidence::kCorrection);
  }
  EXPECT_NE(WeightsOf(*model), WeightsOf(*reference));
  auto learner = learners::MakeLearner(GetParam(), {});
  ASSERT_TRUE(model->Rebuild(*std::move(learner), Model::Labels::kCorrected, nullptr).has_value());
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
  EXPECT_EQ(model->Statistics()->spam, reference->Statistics()->spam);
  EXPECT_EQ(Classify(*model, 7).probability, Classify(*reference, 7).probability);
}

// The log has a text where the model of then met the feature; the one made from it may learn it from a later
// message.
TEST_P(ModelTest, RebuiltByAPickierLearnerItStillHasEveryText) {
  settings_.learner_options["min_gradient"] = "0";
  const auto model = Open("model", 40);
  for (int i = 0; i < 150; ++i) Learn(*model, i);
  // What it was sure of and so passed over the first time, it now learns from.
  for (int i = 100; i < 150; ++i) {
    Features features;
    model->MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    const Label other = LabelNumber(i) == Label::kSpam ? Label::kHam : Label::kSpam;
    ASSERT_TRUE(
        model->Learn(features, other, {"again" + std::to_string(i), ""}, Evidence::kStream).has_value());
  }
  for (const std::string picky : {"0.3", "0.45"}) {
    auto learner = learners::MakeLearner(GetParam(), {{"min_gradient", picky}});
    ASSERT_TRUE(learner.has_value()) << learner.error();
    ASSERT_TRUE(model->Rebuild(*std::move(learner), Model::Labels::kAsTaught, nullptr).has_value());
    EXPECT_FALSE(WeightsOf(*model).empty());
  }
}

// What is taught from the log alone has no text for a row that died in the meantime.
TEST(ModelStatisticsTest, RowsThatTheClockKilledCountAsDead) {
  const TestDirectory directory;
  Settings settings;
  settings.learner = "lazy-sgd";
  settings.learner_options["l1"] = "0.001";
  settings.learner_options["min_gradient"] = "0";
  Model::WriteAccess access;
  access.durability = storage::Durability::kOs;
  const auto learn = [&](const std::vector<int>& numbers) {
    auto model = Model::OpenOrCreate(directory / "model", settings, access).value();
    auto tokenizer = model->MakeTokenizer();
    for (const int i : numbers) {
      Features features;
      tokenizer.Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      ASSERT_TRUE(model->Learn(features, LabelNumber(i), {std::to_string(i), ""}, Evidence::kStream));
    }
    ASSERT_TRUE(model->Checkpoint());
  };
  const auto statistics = [&] {
    return Model::OpenForReading(directory / "model", settings).value()->Statistics().value();
  };
  learn({0});
  EXPECT_EQ(statistics().dead_rows, 0U);
  for (int i = 0; i < 25; ++i) learn({1, 3});
  EXPECT_GT(statistics().dead_rows, 0U);
  EXPECT_LE(statistics().dead_rows, statistics().stored_rows - statistics().nonzeros);
}

TEST(ModelFeedbackTest, TaughtFromTheLogNoWeightLacksItsText) {
  const TestDirectory directory;
  Settings settings;
  settings.learner = "lazy-sgd";
  settings.learner_options["l1"] = "0.003";
  auto model = *Model::OpenOrCreate(directory / "model", settings, {});
  const auto key = [](int i) { return tokenizer::MessageKey{"message" + std::to_string(i), ""}; };
  for (int i = 0; i < 60; ++i) {
    Features features;
    model->MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    ASSERT_TRUE(model->Learn(features, LabelNumber(i), key(i), Evidence::kStream).has_value());
  }
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(model->Checkpoint().has_value());  // dead rows go
    const auto features = model->TaughtFeatures(key(i));
    ASSERT_TRUE(features.has_value() && features->has_value());
    const Label other = LabelNumber(i) == Label::kSpam ? Label::kHam : Label::kSpam;
    ASSERT_TRUE(model->Learn(**features, other, key(i), Evidence::kReply).has_value());
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
  const auto refused = Model::OpenForReading(directory_ / "old", settings_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("thresher-tokens-0"));
}

INSTANTIATE_TEST_SUITE_P(Learners, ModelTest,
                         testing::Values("ftrl", "lazy-sgd", "lazy-fobos", "l1-ball", "eg", "smidas"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace thresher::pipeline

// Scores from the image are those of the database, bit for bit, whoever wrote the last checkpoint.
#include "pipeline/scorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "learners/registry.h"
#include "pipeline/model.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Learners() {
  std::vector<std::string> names;
  for (const auto& spec : learners::AllLearners()) names.emplace_back(spec.name);
  return names;
}

std::string MessageNumber(int i) { return i % 3 == 0 ? SpamMessage(i) : HamMessage(i); }

class ScorerTest : public testing::TestWithParam<std::string> {
 protected:
  ScorerTest() { settings_.learner = GetParam(); }

  void Teach(int from, int to) {
    Model::WriteAccess access;
    access.durability = storage::Durability::kOs;
    const auto model = Model::OpenOrCreate(directory_ / "model", settings_, access);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    for (int i = from; i < to; ++i) {
      tokenizer::Features features;
      (*model)->MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      ASSERT_TRUE((*model)
                      ->Learn(features, i % 3 == 0 ? Label::kSpam : Label::kHam,
                              {"message" + std::to_string(i), ""}, Evidence::kStream)
                      .has_value());
    }
    ASSERT_TRUE((*model)->Checkpoint().has_value());
  }

  // Of messages seen and new ones.
  template <class Source>
  std::vector<std::pair<double, double>> Scores(Source& source) {
    std::vector<std::pair<double, double>> scores;
    for (int i = 0; i < 90; i += 7) {
      tokenizer::Features features;
      source.MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      const auto score = source.Classify(features);
      EXPECT_TRUE(score.has_value());
      scores.emplace_back(score->margin, score->probability);
    }
    return scores;
  }

  void ExpectEqualScores() {
    ASSERT_TRUE(fs::exists(directory_ / "model/image"));
    const auto model = Model::OpenForReading(directory_ / "model", settings_);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const auto scorer = Scorer::Open(directory_ / "model", settings_);
    ASSERT_TRUE(scorer.has_value()) << scorer.error().message;
    const auto expected = Scores(**model);
    EXPECT_NE(expected.front(), expected.back());
    EXPECT_EQ(Scores(**scorer), expected);
  }

  TestDirectory directory_;
  Settings settings_;
};

TEST_P(ScorerTest, TheImageScoresLikeTheDatabase) {
  Teach(0, 60);
  ExpectEqualScores();
  for (int i = 60; i < 72; i += 3) {  // by writers that hold a few rows in memory
    Teach(i, i + 3);
    ExpectEqualScores();
  }
}

TEST_P(ScorerTest, ADamagedImageIsPassedOver) {
  Teach(0, 60);
  const auto before = Scorer::Open(directory_ / "model", settings_);
  ASSERT_TRUE(before.has_value());
  const auto expected = Scores(**before);
  std::ofstream(directory_ / "model/image") << "damaged";
  const auto without = Scorer::Open(directory_ / "model", settings_);
  ASSERT_TRUE(without.has_value()) << without.error().message;
  EXPECT_EQ(Scores(**without), expected);
}

INSTANTIATE_TEST_SUITE_P(Learners, ScorerTest, testing::ValuesIn(Learners()), [](const auto& learner) {
  std::string name = learner.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace thresher::pipeline

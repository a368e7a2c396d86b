// Scores from the score image equal those of the database, bit for bit, whichever writer made the checkpoint.
#include "pipeline/model/scorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "learners/registry.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
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

class ScorerTest : public testing::TestWithParam<std::string> {
 protected:
  ScorerTest() { settings_.learner = GetParam(); }

  void Teach(int from, int to) {
    WriteAccess access;
    access.durability = storage::Durability::kOs;
    const auto model = OpenOrCreateModel(directory_ / "model", settings_, access);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    for (int i = from; i < to; ++i) {
      tokenizer::Features features;
      (*model)->identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      ASSERT_TRUE((*model)
                      ->Learn(features, {"message" + std::to_string(i), ""},
                              {i % 3 == 0 ? Label::kSpam : Label::kHam, Evidence::kStream})
                      .has_value());
    }
    ASSERT_TRUE((*model)->Checkpoint().has_value());
  }

  // Of learned messages and of new ones.
  using Scores = std::vector<std::pair<double, double>>;
  static Scores ScoresOf(Scorer& scorer) { return ScoresOf(scorer, scorer.MakeTokenizer()); }
  static Scores ScoresOf(const Inspection& model) {
    return ScoresOf(model, model.identity().MakeTokenizer());
  }
  template <class Source>
  static Scores ScoresOf(Source& source, tokenizer::Tokenizer tokenizer) {
    Scores scores;
    for (int i = 0; i < 90; i += 7) {
      tokenizer::Features features;
      tokenizer.Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      const auto score = source.Classify(features);
      EXPECT_TRUE(score.has_value());
      scores.emplace_back(score->margin, score->probability);
    }
    return scores;
  }

  void ExpectEqualScores() {
    ASSERT_TRUE(fs::exists(directory_ / "model/image"));
    const auto model = OpenForReading(directory_ / "model", settings_);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const auto scorer = OpenScorer(directory_ / "model", settings_);
    ASSERT_TRUE(scorer.has_value()) << scorer.error().message;
    const auto expected = ScoresOf(*model);
    EXPECT_NE(expected.front(), expected.back());
    EXPECT_EQ(ScoresOf(**scorer), expected);
  }

  TestDirectory directory_;
  Settings settings_;
};

TEST_P(ScorerTest, TheImageScoresLikeTheDatabase) {
  Teach(0, 60);
  ExpectEqualScores();
  for (int i = 60; i < 72; i += 3) {  // by writers that have only a few rows in memory
    Teach(i, i + 3);
    ExpectEqualScores();
  }
}

TEST_P(ScorerTest, ADamagedImageIsIgnored) {
  Teach(0, 60);
  const auto before = OpenScorer(directory_ / "model", settings_);
  ASSERT_TRUE(before.has_value());
  const auto expected = ScoresOf(**before);
  std::ofstream(directory_ / "model/image") << "damaged";
  const auto without = OpenScorer(directory_ / "model", settings_);
  ASSERT_TRUE(without.has_value()) << without.error().message;
  EXPECT_EQ(ScoresOf(**without), expected);
}

// With the image and without.
TEST_P(ScorerTest, ThreadsScoreAtOnce) {
  Teach(0, 60);
  for (const bool by_image : {true, false}) {
    if (!by_image) fs::remove(directory_ / "model/image");
    const auto scorer = OpenScorer(directory_ / "model", settings_);
    ASSERT_TRUE(scorer.has_value());
    const auto other = (*scorer)->ForAnotherThread();
    Scores of_other;
    std::thread thread([&] { of_other = ScoresOf(*other); });
    const Scores scores = ScoresOf(**scorer);
    thread.join();
    EXPECT_EQ(of_other, scores);
    EXPECT_NE(scores.front(), scores.back());
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, ScorerTest, testing::ValuesIn(Learners()), [](const auto& learner) {
  std::string name = learner.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace thresher::pipeline

// A trial is fair: rival and fit have learned the earlier examples and no others. A refusal changes nothing.
#include "pipeline/fit/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pipeline/fit/held_out.h"
#include "pipeline/model/model.h"
#include "pipeline/model/scoring_by_part.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Odd messages are spam. Some of each class look like the other one.
bool IsSpam(int i) { return i % 2 == 1; }
std::string Message(int i) { return IsSpam(i) != (i % 7 == 0) ? SpamMessage(i) : HamMessage(i); }

class TrialTest : public testing::Test {
 protected:
  std::filesystem::path Directory(const std::string& name = "model") const {
    return directory_.path() / "store" / name;
  }
  // A model that is taught these messages, in this order.
  std::unique_ptr<Model> Teach(const std::string& name, const std::vector<int>& messages) const {
    WriteAccess access;
    access.durability = storage::Durability::kOs;
    auto model = OpenOrCreateModel(Directory(name), settings_, access);
    EXPECT_TRUE(model.has_value());
    for (const int i : messages) {
      EXPECT_TRUE((*model)
                      ->Learn(FeaturesOf(**model, i), {std::to_string(i), ""},
                              {IsSpam(i) ? Label::kSpam : Label::kHam, Evidence::kStream})
                      .has_value());
    }
    EXPECT_TRUE((*model)->Checkpoint().has_value());
    return *std::move(model);
  }
  static tokenizer::Features FeaturesOf(Model& model, int message) {
    tokenizer::Features features;
    model.identity().MakeTokenizer().Tokenize(Message(message), tokenizer::Kind::kMail, &features);
    return features;
  }
  Result<std::vector<Score>> Rival(const PartOfLog& part) const {
    auto stored = OpenStored(Directory(), settings_);
    EXPECT_TRUE(stored.has_value());
    return ScoreByPart(std::move(stored->database), std::move(stored->identity), part);
  }

  TestDirectory directory_;
  Settings settings_;
};

std::vector<int> UpTo(int count) {
  std::vector<int> numbers(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) numbers[static_cast<size_t>(i)] = i;
  return numbers;
}

TEST_F(TrialTest, TheRivalIsAModelThatWasTaughtTheEarlierExamplesOnly) {
  settings_.rehearsal.draws = 0;  // what is drawn depends on the examples' numbers, which the twin's are not
  Teach("model", UpTo(60));
  PartOfLog part;
  std::vector<int> earlier;
  for (int i = 0; i < 60; ++i) {
    const bool is_later = i >= 40 || i % 9 == 5;
    (is_later ? part.scored : part.taught).push_back(static_cast<uint64_t>(i) + 1);
    if (!is_later) earlier.push_back(i);
  }
  const auto scores = Rival(part);
  ASSERT_TRUE(scores.has_value()) << scores.error().message;
  const auto twin = Teach("twin", earlier);
  for (size_t k = 0; k < part.scored.size(); ++k) {
    const auto expected = twin->Classify(FeaturesOf(*twin, static_cast<int>(part.scored[k]) - 1));
    EXPECT_NEAR((*scores)[k].margin, expected->margin, 1e-6);
    EXPECT_NEAR((*scores)[k].probability, expected->probability, 1e-6);
  }
}

TEST_F(TrialTest, ACorrectedMessageIsTaughtOnceUnderItsLastLabel) {
  settings_.rehearsal.draws = 0;
  std::vector<int> messages = UpTo(30);
  auto model = Teach("model", messages);
  ASSERT_TRUE(
      model->Learn(FeaturesOf(*model, 4), {"4", ""}, {Label::kSpam, Evidence::kCorrection}).has_value());
  ASSERT_TRUE(model->Checkpoint().has_value());
  model.reset();
  const auto stored = LoadStoredExamples(Directory(), settings_, {});
  ASSERT_EQ(stored->seqs.size(), 30U);
  EXPECT_EQ(stored->seqs.back(), 31U);
  EXPECT_EQ(stored->store.targets().back(), 1);
  EXPECT_EQ(std::count(stored->seqs.begin(), stored->seqs.end(), 5), 0);
  const auto scores = Rival({stored->seqs, {31}});
  messages.erase(messages.begin() + 4);
  auto twin = Teach("twin", messages);
  ASSERT_TRUE(twin->Learn(FeaturesOf(*twin, 4), {"4", ""}, {Label::kSpam, Evidence::kReply}).has_value());
  EXPECT_NEAR(scores->front().margin, twin->Classify(FeaturesOf(*twin, 4))->margin, 1e-6);
}

TEST_F(TrialTest, TheFirstFitThatIsNoWorseIsChosen) {
  Teach("model", UpTo(180));
  const auto examples = LoadStoredExamples(Directory(), settings_, {});
  const std::vector<learners::OptionValues> options = {{{"l2", "100"}}, {{"l2", "1e-6"}}, {{"l2", "1e-7"}}};
  const auto trial = TryBeforeInstalling(Directory(), settings_, *examples, {}, options);
  ASSERT_TRUE(trial.has_value()) << trial.error().message;
  EXPECT_EQ(trial->ham, 30U);
  EXPECT_EQ(trial->spam, 30U);
  EXPECT_FALSE(trial->IsSmall());
  EXPECT_EQ(trial->fits.front().figures.spam_missed,
            30U);  // with so large a penalty every weight is nearly 0
  for (size_t k = 0; k < trial->fits.size(); ++k)
    EXPECT_EQ(IsNoWorse(trial->fits[k].figures, trial->rival), trial->chosen && k == *trial->chosen);
}

TEST_F(TrialTest, WhereTheLogHasExpiredTheLiveModelIsTheRival) {
  settings_.log_keep_bytes = 1;
  WriteAccess access = TeachingAccess(settings_);
  access.durability = storage::Durability::kOs;
  {
    auto model = OpenOrCreateModel(Directory(), settings_, access);
    for (int i = 0; i < 600; ++i) {
      ASSERT_TRUE((*model)
                      ->Learn(FeaturesOf(**model, i), {std::to_string(i), ""},
                              {IsSpam(i) ? Label::kSpam : Label::kHam, Evidence::kStream})
                      .has_value());
    }
    ASSERT_TRUE((*model)->Checkpoint().has_value());
    ASSERT_GT((*model)->Inspect().log().expired, 0U);
  }
  const auto examples = LoadStoredExamples(Directory(), settings_, {});
  const auto trial = TryBeforeInstalling(Directory(), settings_, *examples, {}, {{{"l2", "1e-6"}}});
  ASSERT_TRUE(trial.has_value()) << trial.error().message;
  EXPECT_TRUE(trial->rival_is_live);
  auto model = OpenModel(Directory(), settings_, access);
  const auto split = HoldOut(examples->store.targets(), kTrialShare);
  uint64_t missed = 0;
  for (const size_t row : split->later) {
    const auto message = static_cast<int>(examples->seqs[row]) - 1;
    const auto score = (*model)->Classify(FeaturesOf(**model, message));
    missed += IsSpam(message) && settings_.thresholds.Decide(score->probability) != Verdict::kSpam ? 1 : 0;
  }
  EXPECT_EQ(trial->rival.spam_missed, missed);
}

TEST(TrialFigures, AreThoseOfTheVerdicts) {
  const std::vector<eval::Outcome> outcomes = {
      {true, true, 3, 0.9}, {true, false, -1, 0.4}, {false, true, 2, 0.8}, {false, false, -2, 0.1}};
  const TrialFigures figures = FiguresOf(outcomes);
  EXPECT_EQ(figures.spam_missed, 1U);
  EXPECT_EQ(figures.ham_lost, 1U);
  EXPECT_DOUBLE_EQ(figures.roc_area_above, 25);
  EXPECT_NEAR(figures.log_loss, -(std::log(0.9) + std::log(0.4) + std::log(0.2) + std::log(0.9)) / 4, 1e-12);
}

TEST(TrialFigures, OneWorseFigureIsEnoughToBeWorse) {
  const TrialFigures rival = {.spam_missed = 5, .ham_lost = 1, .roc_area_above = 0.5, .log_loss = 0.1};
  EXPECT_TRUE(IsNoWorse(rival, rival));
  EXPECT_TRUE(IsNoWorse({0, 0, 0, 0}, rival));
  EXPECT_FALSE(IsNoWorse({6, 0, 0, 0}, rival));
  EXPECT_FALSE(IsNoWorse({0, 2, 0, 0}, rival));
  EXPECT_FALSE(IsNoWorse({0, 0, 0.6, 0}, rival));
  EXPECT_FALSE(IsNoWorse({0, 0, 0, 0.2}, rival));
}

// A rival that hardly moves.
std::vector<std::string> SlowLearner() {
  return {"--learner", "lazy-sgd", "--set", "learner.options.learning_rate=1e-6"};
}

class InstallCommandTest : public testing::Test {
 protected:
  Ran Thresher(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", Store()});
    return RunThresher(arguments, input);
  }
  std::string Store() const { return directory_ / "store"; }
  // Replays `count` messages into the store, to this learner.
  void Replay(int count, std::vector<std::string> learner = {}) const {
    std::string index;
    for (int i = 0; i < count; ++i) {
      directory_.Write("data/" + std::to_string(i), Message(i));
      index += std::string(IsSpam(i) ? "spam" : "ham") + " data/" + std::to_string(i) + "\n";
    }
    learner.insert(learner.begin(), {"replay", directory_.Write("index", index)});
    const Ran ran = Thresher(learner);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  std::map<std::string, std::string> Bytes() const {
    std::map<std::string, std::string> bytes;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(Store())) {
      if (entry.is_regular_file()) bytes[entry.path().string()] = ReadBytes(entry.path());
    }
    return bytes;
  }

  TestDirectory directory_;
};

TEST_F(InstallCommandTest, WhatDoesWorseIsRefusedAndLeavesTheStore) {
  Replay(180);
  const auto before = Bytes();
  const Ran ran = Thresher({"fit", "--install", "--option", "l2=100"});
  EXPECT_EQ(ran.exit_code, kData);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("of 30 spam and 30 ham held out, "), HasSubstr(" -> 30 spam missed"),
                             HasSubstr("not installed; --insist installs all the same")));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("ftrl"), HasSubstr("sdca l2=100 ")));
  EXPECT_TRUE(Bytes() == before);

  const Ran insisted = Thresher({"fit", "--install", "--insist", "--option", "l2=100"});
  EXPECT_EQ(insisted.exit_code, 0) << insisted.err;
  EXPECT_THAT(insisted.err, AllOf(HasSubstr("; installing all the same"), HasSubstr("\ninstalled: ")));
  EXPECT_FALSE(Bytes() == before);
  EXPECT_EQ(Thresher({"check"}).exit_code, 0);
}

TEST_F(InstallCommandTest, WhatDoesBetterIsInstalled) {
  Replay(180, SlowLearner());
  const Ran ran = Thresher({"fit", "--install"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("30 -> "), HasSubstr("installed: "), Not(HasSubstr("all the same"))));
  EXPECT_EQ(Thresher({"check"}).exit_code, 0);
}

TEST_F(InstallCommandTest, FewExamplesShowNothing) {
  Replay(40, SlowLearner());
  const auto before = Bytes();
  const Ran ran = Thresher({"fit", "--install"});
  EXPECT_EQ(ran.exit_code, kData);
  EXPECT_THAT(ran.err, HasSubstr("not installed, for fewer than 20 of a class show nothing"));
  EXPECT_TRUE(Bytes() == before);
}

TEST_F(InstallCommandTest, OneClassIsRefused) {
  for (int i = 1; i < 7; i += 2) Thresher({"learn", "--spam"}, SpamMessage(i));
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--install"},
                                                {"--install", "--insist"},
                                                {"--path", "3", "--solver", "scd"}}) {
    std::vector<std::string> arguments = {"fit"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ran ran = Thresher(arguments);
    EXPECT_EQ(ran.exit_code, kData);
    EXPECT_THAT(ran.err, HasSubstr("the examples are 0 ham and 3 spam; expected at least 2 of each class"));
  }
}

}  // namespace
}  // namespace thresher::pipeline

// A reply of a named user changes that user's verdict on the message, and little else: other mail of this
// user and the verdicts of others keep their sides.
#include "pipeline/model/personal_lesson.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "learners/ftrl/step_length.h"
#include "tests/pipeline/model/model_fixture.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

constexpr int kMany = 600;

class PersonalLessonTest : public ModelFixture {
 protected:
  static Features FeaturesFor(std::string_view user, const Model& model, int i) {
    Features features;
    model.identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features, user);
    return features;
  }
  static Features HamWith(std::string_view words, int number, std::string_view user, const Model& model) {
    Features features;
    model.identity().MakeTokenizer().Tokenize(HamMessage(number).append(words), tokenizer::Kind::kMail,
                                              &features, user);
    return features;
  }
  static double Margin(Model& model, std::string_view user, int i) {
    return model.Classify(FeaturesFor(user, model, i)).value().margin;
  }
  static void Teach(Model& model, std::string_view user, int i, Label label, Evidence evidence) {
    const std::string id = tokenizer::MessageIdOf(user, "message" + std::to_string(i));
    ASSERT_TRUE(model.Learn(FeaturesFor(user, model, i), {id, ""}, {label, evidence}).has_value());
  }
  // Two models of the same seed that were taught the same mail of nobody in particular.
  std::pair<std::unique_ptr<Model>, std::unique_ptr<Model>> TwoModels() {
    auto first = Open("first");
    for (int i = 0; i < 90; ++i) Learn(*first, i);
    first.reset();
    std::filesystem::copy(directory_ / "first", directory_ / "second",
                          std::filesystem::copy_options::recursive);
    return {Open("first"), Open("second")};
  }
};

constexpr int kSpam = 93;
static_assert(kSpam % 3 == 0);

TEST_P(PersonalLessonTest, OthersFollowLessThanTheUser) {
  const auto model = Open("model");
  for (int i = 0; i < 90; ++i) Learn(*model, i);
  const double before = Margin(*model, "", kSpam);
  ASSERT_EQ(before, Margin(*model, "alice", kSpam)) << "nobody taught for Alice";
  ASSERT_GT(before, 0);
  Teach(*model, "alice", kSpam, Label::kHam, Evidence::kReply);
  const double for_alice = before - Margin(*model, "alice", kSpam);
  const double for_others = before - Margin(*model, "bob", kSpam);
  EXPECT_LT(Margin(*model, "alice", kSpam), 0);
  EXPECT_GT(for_others, 0);
  EXPECT_LT(3 * for_others, for_alice);
}

// Nobody has asked for a verdict on the message. That it would be wrong is enough.
TEST_P(PersonalLessonTest, SoItIsIfTheMessageIsOfAnArchive) {
  settings_.learner_options["min_gradient"] = "0";
  const auto [archive, reply] = TwoModels();
  const double before = Margin(*archive, "", kSpam);
  ASSERT_GT(before, 0);
  Teach(*archive, "alice", kSpam, Label::kHam, Evidence::kArchive);
  Teach(*reply, "alice", kSpam, Label::kHam, Evidence::kReply);
  EXPECT_LT(Margin(*archive, "alice", kSpam), 0);
  EXPECT_NEAR(Margin(*archive, "alice", kSpam), Margin(*reply, "alice", kSpam), 0.5);
  EXPECT_LT(3 * (before - Margin(*archive, "bob", kSpam)), before - Margin(*archive, "alice", kSpam));
}

// What is in all mail cannot be told from what is rare. Nor does it matter: there is nobody else.
TEST_P(PersonalLessonTest, AnArchiveIsAnArchiveIfThereIsNobodyElse) {
  settings_.rehearsal.draws = 0;
  const auto after = [&](const std::string& name, Evidence evidence) {
    const auto model = Open(name);
    for (int i = 0; i < 90; ++i) Teach(*model, "alice", i, LabelNumber(i), Evidence::kArchive);
    Teach(*model, "alice", kSpam, Label::kHam, evidence);
    return Margin(*model, "alice", kSpam);
  };
  EXPECT_GT(after("archive", Evidence::kArchive), after("reply", Evidence::kReply) + 2);
}

// Of an archive whose first class is still being learned.
TEST_P(PersonalLessonTest, WhileExamplesWaitAnArchiveIsAnArchive) {
  settings_.learner_options["min_gradient"] = "0";
  const auto model = Open("model");
  for (int i = 0; i < 180; i += 3) Learn(*model, i, Evidence::kArchive);
  for (int i = 1; i < 60; i += 3) Learn(*model, i, Evidence::kArchive);
  ASSERT_GT(model->Inspect().Waiting(Label::kSpam), 10U);
  constexpr int kHam = 91;
  const double before = Margin(*model, "", kHam);
  ASSERT_LT(before, 0);
  const tokenizer::MessageKey key{tokenizer::MessageIdOf("alice", "ham"), ""};
  const Features ham = FeaturesFor("alice", *model, kHam);
  ASSERT_TRUE(model->Learn(ham, key, {Label::kSpam, Evidence::kArchive, /*turns=*/0}).has_value());
  EXPECT_LT(Margin(*model, "alice", kHam) - before, 2 * (Margin(*model, "bob", kHam) - before));
}

// It has both classes as they come, so that the first steps on the user's features may be long.
TEST_P(PersonalLessonTest, AStreamsExampleIsLearnedAsAnyOther) {
  settings_.learner_options["min_gradient"] = "0";
  settings_.learner_options["significance"] = "0";
  settings_.learner_options["l1"] = "0";
  settings_.rehearsal.draws = 0;
  const auto own_part = [&](const std::string& name, Evidence evidence) {
    const auto model = Open(name);
    for (int i = 0; i < 90; ++i) Learn(*model, i);
    Teach(*model, "alice", kSpam, Label::kSpam, evidence);
    return Margin(*model, "alice", kSpam) - Margin(*model, "bob", kSpam);
  };
  EXPECT_GT(own_part("stream", Evidence::kStream), 3 * own_part("archive", Evidence::kArchive));
}

// A reply to a sure verdict of the user's rare words is nearly as one to a verdict less sure.
TEST(PersonalLesson, TheMarginOfRareWordsIsHardlyDoubted) {
  EXPECT_NEAR(learners::ProbabilityOfMistake({.margin = 1.7, .label = Label::kHam}), 0.94, 0.005);
}

// Nobody has seen these words, each of which would take a long first step.
TEST_P(PersonalLessonTest, OthersFollowNoFurtherThanTheyMust) {
  settings_.learner_options["warm_up"] = "0";  // as in a model that has learned much
  const auto model = Open("model");
  for (int i = 0; i < kMany; ++i) Learn(*model, i);
  std::string words;
  for (int i = 0; i < 300; ++i) words.append(" unseen").append(std::to_string(i));
  const auto of_bob = [&] { return model->Classify(HamWith(words, kMany, "bob", *model)).value().margin; };
  const double before = of_bob();
  const tokenizer::MessageKey key{tokenizer::MessageIdOf("alice", "unseen"), ""};
  const Features message = HamWith(words, kMany, "alice", *model);
  ASSERT_TRUE(model->Learn(message, key, {Label::kSpam, Evidence::kReply}).has_value());
  EXPECT_GT(of_bob(), before);
  EXPECT_LT(of_bob(), model->Inspect().taught().EnoughMargin() + 1);
}

// However sure the model was. The reply can be taken back.
TEST_P(PersonalLessonTest, AUserDecidesOnWhatIsSure) {
  settings_.learner_options["min_gradient"] = "0";
  const auto model = Open("model");
  for (int i = 0; i < kMany; ++i) Learn(*model, i);
  const double before = Margin(*model, "", kSpam);
  ASSERT_GT(before, 8) << "the step on a reply to such a verdict ends at a margin of about 0";
  Teach(*model, "alice", kSpam, Label::kHam, Evidence::kReply);
  const double for_alice = before - Margin(*model, "alice", kSpam);
  EXPECT_LT(Margin(*model, "alice", kSpam), 0);
  EXPECT_LT(3 * (before - Margin(*model, "bob", kSpam)), for_alice);
  Teach(*model, "alice", kSpam, Label::kSpam, Evidence::kCorrection);
  EXPECT_GT(Margin(*model, "alice", kSpam), before - for_alice / 3);
}

// As far as that of a reply without a user. For others it may take back more than the reply taught.
TEST_P(PersonalLessonTest, ACorrectionTakesItBack) {
  const auto [of_user, of_all] = TwoModels();
  const double before = Margin(*of_user, "alice", kSpam);
  for (const Label label : {Label::kHam, Label::kSpam}) {
    const Evidence evidence = label == Label::kHam ? Evidence::kReply : Evidence::kCorrection;
    Teach(*of_user, "alice", kSpam, label, evidence);
    Teach(*of_all, "", kSpam, label, evidence);
  }
  const double left_without = std::abs(Margin(*of_all, "", kSpam) - before);
  EXPECT_GT(Margin(*of_user, "alice", kSpam), 0);
  EXPECT_LT(std::abs(Margin(*of_user, "alice", kSpam) - before), 1.5 * left_without + 1);
  EXPECT_GT(Margin(*of_user, "bob", kSpam), before - 1.5 * left_without - 1);
  EXPECT_LT(Margin(*of_user, "bob", kSpam), 2.5 * before);
}

// The words that a new user's mail shares with all mail say little about it.
TEST_P(PersonalLessonTest, OtherMailOfTheUserStaysOnItsSide) {
  settings_.learner_options["warm_up"] = "0";  // as in a model that has learned much
  const auto model = Open("model");
  for (int i = 0; i < kMany; ++i) Learn(*model, i);
  const auto own_part = [&](std::string_view words) {
    const auto margin = [&](std::string_view user) {
      return model->Classify(HamWith(words, kMany + 1, user, *model)).value().margin;
    };
    return margin("alice") - margin("bob");
  };
  constexpr std::string_view kLetter = "A weekly letter on gardens, roses, tulips, spades.\n";
  const tokenizer::MessageKey key{tokenizer::MessageIdOf("alice", "letter"), ""};
  const Features letter = HamWith(kLetter, kMany, "alice", *model);
  ASSERT_TRUE(model->Learn(letter, key, {Label::kSpam, Evidence::kReply}).has_value());
  EXPECT_GT(own_part(kLetter), 1);
  EXPECT_LT(4 * own_part(""), own_part(kLetter));
}

// Each feature is learned from once, be it of all mail or of the user.
TEST_P(PersonalLessonTest, NoFeatureIsLearnedFromTwice) {
  settings_.rehearsal.draws = 0;
  const auto model = Open("model");
  for (int i = 0; i < 90; ++i) Learn(*model, i);
  Teach(*model, "alice", kSpam, Label::kHam, Evidence::kReply);
  int own = 0;
  for (const auto& [text, row] : WeightsOf(*model)) {
    if (!tokenizer::IsTokenOfUser(text)) continue;
    ++own;
    EXPECT_EQ(std::get<1>(row), 1U) << text;
    EXPECT_EQ(std::get<2>(row), 0U) << text;
  }
  EXPECT_GT(own, 0);
}

TEST_P(PersonalLessonTest, ALogOfMessagesTeachesTheSame) {
  const auto teach = [](Model& model, int from, int to) {
    for (int i = from; i < to; ++i) {
      const Evidence evidence = i < 60       ? Evidence::kStream
                                : i % 3 == 0 ? Evidence::kReply
                                             : Evidence::kArchive;
      const Label label = i % 5 == 0 ? OtherClass(LabelNumber(i)) : LabelNumber(i);
      Teach(model, i < 60 ? "" : "alice", i, label, evidence);
    }
  };
  const auto features = Open("features");
  teach(*features, 0, 120);
  settings_.log_holds = kLogOfMessages;
  for (int from = 0; from < 120; from += 30) teach(*Open("messages"), from, from + 30);
  EXPECT_EQ(WeightsOf(*Open("messages")), WeightsOf(*features));
}

// Rows are forgotten meanwhile, too.
TEST_P(PersonalLessonTest, InterruptionsChangeNoBit) {
  settings_.learner_options["forget_every"] = "20";
  auto [reference, interrupted] = TwoModels();
  std::mt19937 random(3);
  for (int i = 90; i < 200; ++i) {
    const std::string_view user = random() % 2 == 0 ? "alice" : "";
    const Label label = random() % 4 == 0 ? OtherClass(LabelNumber(i)) : LabelNumber(i);
    constexpr std::array kEvidence = {Evidence::kReply, Evidence::kReply, Evidence::kStream,
                                      Evidence::kArchive};
    const Evidence evidence = kEvidence[random() % kEvidence.size()];
    Teach(*reference, user, i, label, evidence);
    Teach(*interrupted, user, i, label, evidence);
    if (random() % 3 == 0) {
      Teach(*reference, user, i, OtherClass(label), Evidence::kCorrection);
      Teach(*interrupted, user, i, OtherClass(label), Evidence::kCorrection);
    }
    if (random() % 8 != 0) continue;
    interrupted.reset();
    interrupted = Open("second");
  }
  EXPECT_EQ(reference->Digest().value(), interrupted->Digest().value());
}

TEST(PersonalLesson, AUsersOwnTokensMakeAMessageTheirs) {
  Features features;
  EXPECT_FALSE(HasOwnPart(features));
  features.Add(1, 1, "header:user:alice/free");
  features.Add(2, 1, "");
  EXPECT_FALSE(HasOwnPart(features));
  features.Add(3, 1, "user:alice/body:free");
  EXPECT_TRUE(HasOwnPart(features));
}

INSTANTIATE_TEST_SUITE_P(Learners, PersonalLessonTest, testing::Values("ftrl", "adaptive-ftrl"), NameOfCase);

}  // namespace
}  // namespace thresher::pipeline

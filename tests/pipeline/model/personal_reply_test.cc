// A reply of a named user changes that user's verdict, and those of others less than a reply of all would.
#include "pipeline/model/personal_reply.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "tests/pipeline/model/model_fixture.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

class PersonalReplyTest : public ModelFixture {
 protected:
  static Features FeaturesFor(std::string_view user, const Model& model, int i) {
    Features features;
    model.identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features, user);
    return features;
  }
  static double Margin(Model& model, std::string_view user, int i) {
    return model.Classify(FeaturesFor(user, model, i)).value().margin;
  }
  static void Teach(Model& model, std::string_view user, int i, Label label, Evidence evidence) {
    const std::string id = tokenizer::MessageIdOf(user, "message" + std::to_string(i));
    ASSERT_TRUE(model.Learn(FeaturesFor(user, model, i), label, {id, ""}, evidence).has_value());
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

TEST_P(PersonalReplyTest, OthersFollowLessThanTheUser) {
  const auto [of_user, of_all] = TwoModels();
  const double before = Margin(*of_user, "", kSpam);
  ASSERT_EQ(before, Margin(*of_user, "alice", kSpam)) << "nobody taught for Alice";
  ASSERT_GT(before, 0);
  Teach(*of_user, "alice", kSpam, Label::kHam, Evidence::kReply);
  Teach(*of_all, "", kSpam, Label::kHam, Evidence::kReply);
  const double for_alice = before - Margin(*of_user, "alice", kSpam);
  const double for_others = before - Margin(*of_user, "bob", kSpam);
  const double for_all = before - Margin(*of_all, "", kSpam);
  EXPECT_LT(Margin(*of_user, "alice", kSpam), 0);
  EXPECT_GT(for_others, 0);
  EXPECT_LT(3 * for_others, for_alice);
  EXPECT_LT(2 * for_others, for_all);
}

// As far as that of a reply without a user, and for others, too.
TEST_P(PersonalReplyTest, ACorrectionTakesItBack) {
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
  EXPECT_LT(std::abs(Margin(*of_user, "bob", kSpam) - before), 1.5 * left_without + 1);
}

// Each feature is learned from once, be it of all mail or of the user.
TEST_P(PersonalReplyTest, NoFeatureIsLearnedFromTwice) {
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

TEST_P(PersonalReplyTest, InterruptionsChangeNoBit) {
  auto [reference, interrupted] = TwoModels();
  std::mt19937 random(3);
  for (int i = 90; i < 200; ++i) {
    const std::string_view user = random() % 2 == 0 ? "alice" : "";
    const Label label = random() % 4 == 0 ? OtherClass(LabelNumber(i)) : LabelNumber(i);
    const Evidence evidence = random() % 2 == 0 ? Evidence::kReply : Evidence::kStream;
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

TEST(PersonalReply, AUsersOwnTokensMakeAMessageTheirs) {
  Features features;
  EXPECT_FALSE(HasOwnPart(features));
  features.Add(1, 1, "header:user:alice/free");
  features.Add(2, 1, "");
  EXPECT_FALSE(HasOwnPart(features));
  features.Add(3, 1, "user:alice/body:free");
  EXPECT_TRUE(HasOwnPart(features));
}

INSTANTIATE_TEST_SUITE_P(Learners, PersonalReplyTest, testing::Values("ftrl", "adaptive-ftrl"), NameOfCase);

}  // namespace
}  // namespace thresher::pipeline

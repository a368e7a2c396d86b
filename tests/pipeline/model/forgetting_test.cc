// Models that forget examples: beside models that were never taught them.
#include "pipeline/model/forgetting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "learners/registry.h"
#include "pipeline/check/model_check.h"
#include "tests/pipeline/model/model_fixture.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using testing::IsEmpty;

class ForgettingTest : public ModelFixture {
 protected:
  static Forgotten ForgetAll(Model& model, const std::set<int>& numbers) {
    const auto forgotten = model.Forget([&](const storage::Example& example) {
      return std::any_of(numbers.begin(), numbers.end(),
                         [&](int i) { return example.message_id == "message" + std::to_string(i); });
    });
    EXPECT_TRUE(forgotten.has_value()) << forgotten.error().message;
    return *forgotten;
  }
  static void Rebuild(Model& model, LabelsToLearn labels = LabelsToLearn::kAsTaught) {
    auto learner =
        learners::RestoreLearner(model.identity().learner->Name(), model.identity().learner->OptionsText());
    const auto done = model.Rebuild(*std::move(learner), model.identity().rehearsal, labels, nullptr);
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  using Texts = std::vector<std::string>;
  static Texts LoggedTexts(const Model& model, const std::string& name) {
    const auto taught = model.Messages().LastTaught({name, ""});
    EXPECT_TRUE(taught && *taught) << name;
    Texts texts;
    for (size_t i = 0; i < (*taught)->features.size(); ++i) texts.emplace_back((*taught)->features.Text(i));
    return texts;
  }
  void ExpectSound(const std::string& name) {
    const auto check = CheckModel(directory_ / name, settings_, [](uint64_t, uint64_t) {});
    ASSERT_TRUE(check.has_value()) << check.error().message;
    EXPECT_THAT(check->wrong, IsEmpty());
  }
};

TEST_P(ForgettingTest, RebuiltItEqualsAModelThatWasNeverTaughtThem) {
  const std::set<int> gone = {InRuns(0), InRuns(3), InRuns(4), InRuns(35), InRuns(80), InRuns(149)};
  {
    const auto reference = Open("reference");
    const auto model = Open("model", 40);
    for (int i = 0; i < 150; ++i) {
      if (!gone.contains(InRuns(i))) Learn(*reference, InRuns(i));
      Learn(*model, InRuns(i));
    }
    const Label wrong = OtherClass(LabelNumber(InRuns(4)));
    LearnAs(*model, InRuns(4), wrong, Evidence::kCorrection);
    const Weights before = WeightsOf(*model);
    const Forgotten forgotten = ForgetAll(*model, gone);
    EXPECT_EQ(forgotten.messages, gone.size());
    EXPECT_EQ(forgotten.examples, gone.size() + 1);
    EXPECT_EQ(WeightsOf(*model), before);
  }
  ExpectSound("model");
  const auto reference = Open("reference");
  {
    const auto model = Open("model", 40);
    EXPECT_FALSE(model->Messages().LabelOf({"message" + std::to_string(InRuns(4)), ""})->has_value());
    EXPECT_TRUE(model->Messages().LabelOf({"message" + std::to_string(InRuns(5)), ""})->has_value());
    EXPECT_EQ(ForgetAll(*model, gone).examples, 0U);
    Rebuild(*model);
    EXPECT_EQ(model->Inspect().log().last_seq, 150 - gone.size());
    EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
    for (int i = 150; i < 170; ++i) {
      Learn(*model, InRuns(i));
      Learn(*reference, InRuns(i));
    }
  }
  ExpectSound("model");
  const auto model = Open("model");
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
  EXPECT_EQ(Classify(*model, 7).probability, Classify(*reference, 7).probability);
  EXPECT_EQ(model->Inspect().Statistics()->spam, reference->Inspect().Statistics()->spam);
}

TEST_P(ForgettingTest, RecoversBesideForgottenExamples) {
  const auto reference = Open("reference");
  {
    const auto model = Open("model");
    for (int i = 0; i < 60; ++i) {
      Learn(*reference, InRuns(i));
      Learn(*model, InRuns(i));
    }
    for (Model* each : {reference.get(), model.get()}) ForgetAll(*each, {InRuns(0), InRuns(17)});
    for (int i = 60; i < 90; ++i) {
      Learn(*reference, InRuns(i));
      Learn(*model, InRuns(i));
    }
    Learn(*reference, InRuns(17));
    Learn(*model, InRuns(17));
  }  // without a checkpoint
  const auto recovered = Open("model");
  EXPECT_EQ(WeightsOf(*recovered), WeightsOf(*reference));
  Rebuild(*recovered);
  Rebuild(*reference);
  EXPECT_EQ(WeightsOf(*recovered), WeightsOf(*reference));
  EXPECT_EQ(recovered->Inspect().log().last_seq, 89U);
}

// What was taught of one class alone waits for the other class, in the rehearsal memory.
TEST_P(ForgettingTest, ARebuildThatEndsInTheMiddleLosesNothingThatWaits) {
  struct Ended {};
  const auto reference = Open("reference");
  {
    const auto model = Open("model");
    for (int i = 0; i < 120; i += 3) {
      Learn(*model, i, Evidence::kArchive);
      if (i != 6 && i != 60) Learn(*reference, i, Evidence::kArchive);
    }
    ForgetAll(*model, {6, 60});
    auto learner =
        learners::RestoreLearner(model->identity().learner->Name(), model->identity().learner->OptionsText());
    EXPECT_THROW(static_cast<void>(model->Rebuild(*std::move(learner), model->identity().rehearsal,
                                                  LabelsToLearn::kAsTaught, [](uint64_t) { throw Ended(); })),
                 Ended);
  }
  const auto model = Open("model");
  EXPECT_EQ(model->Inspect().log().last_seq, 38U);
  EXPECT_EQ(model->Inspect().Waiting(Label::kSpam), 38U);
  for (int i = 1; i < 120; i += 3) {
    Learn(*model, i, Evidence::kArchive);
    Learn(*reference, i, Evidence::kArchive);
  }
  EXPECT_THAT(WeightsOf(*reference), testing::Not(IsEmpty()));
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
}

// As releases did that logged a text only where the model did not know the feature.
TEST_P(ForgettingTest, TextsThatOnlyAForgottenExampleHadGoToTheNextOne) {
  const auto model = Open("model");
  const tokenizer::IdSpace id_space = model->identity().MakeIdSpace();
  const Texts words = {"subject:one", "subject:two", "subject:three"};
  const auto features_of = [&](const Texts& texts) {
    tokenizer::Features features;
    for (size_t i = 0; i < words.size(); ++i) features.Add(id_space.Token(words[i]), 0.5F, texts[i]);
    return features;
  };
  const auto learn = [&](const std::string& name, const Texts& logged) {
    std::string encoded;
    tokenizer::EncodeFeatures(features_of(logged), id_space, &encoded);
    const auto learned =
        model->Learn(features_of(words), {name, ""}, {Label::kSpam, Evidence::kStream}, {.encoded = encoded});
    ASSERT_TRUE(learned.has_value()) << learned.error().message;
  };
  learn("message0", {"subject:one", "subject:two", "subject:wrong"});
  learn("message1", {"", "subject:two", ""});
  learn("message2", {"", "", "subject:three"});
  learn("message3", {"", "", ""});
  EXPECT_EQ(ForgetAll(*model, {0}).examples, 1U);
  // Nobody knows what the third one was called, before message2 says so.
  EXPECT_EQ(LoggedTexts(*model, "message1"), (Texts{"subject:one", "subject:two"}));
  EXPECT_EQ(LoggedTexts(*model, "message2"), (Texts{"", "", "subject:three"}));
  EXPECT_EQ(LoggedTexts(*model, "message3"), (Texts{"", "", ""}));
}

TEST_P(ForgettingTest, CanForgetEverything) {
  const auto model = Open("model");
  std::set<int> all;
  for (int i = 0; i < 30; ++i) {
    Learn(*model, i);
    all.insert(i);
  }
  ForgetAll(*model, all);
  Rebuild(*model);
  EXPECT_THAT(WeightsOf(*model), IsEmpty());
  EXPECT_EQ(model->Inspect().log().last_seq, 0U);
  ExpectSound("model");
  const auto fresh = Open("fresh");
  for (int i = 0; i < 30; ++i) {
    Learn(*model, i);
    Learn(*fresh, i);
  }
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*fresh));
}

TEST_P(ForgettingTest, AModelRemembersThatItsLabelsWereCorrected) {
  {
    const auto model = Open("model");
    for (int i = 0; i < 30; ++i) Learn(*model, i);
    EXPECT_EQ(model->labels(), LabelsToLearn::kAsTaught);
    Rebuild(*model, LabelsToLearn::kCorrected);
    EXPECT_EQ(model->labels(), LabelsToLearn::kCorrected);
  }
  const auto model = Open("model");
  EXPECT_EQ(model->labels(), LabelsToLearn::kCorrected);
  Rebuild(*model);
  EXPECT_EQ(model->labels(), LabelsToLearn::kAsTaught);
}

INSTANTIATE_TEST_SUITE_P(Learners, ForgettingTest, SeveralLearners(), NameOfCase);

}  // namespace
}  // namespace thresher::pipeline

// Models that are rebuilt from their logs.
#include "pipeline/model/rebuild.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tests/pipeline/model/model_fixture.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;

class RebuildTest : public ModelFixture {};

TEST_P(RebuildTest, EqualsAModelTaughtFromTheStart) {
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
    EXPECT_EQ(model->identity().learner->Name(), "truncated-gradient");
    auto learner = learners::MakeLearner(GetParam(), {});
    ASSERT_TRUE(model
                    ->Rebuild(*std::move(learner), {}, LabelsToLearn::kAsTaught,
                              [&last](uint64_t seq) { last = seq; })
                    .has_value());
    EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
    Learn(*model, 150);
  }
  Learn(*reference, 150);
  EXPECT_EQ(last, 150U);
  const auto reopened = Open("model");
  EXPECT_EQ(reopened->identity().learner->Name(), GetParam());
  EXPECT_EQ(WeightsOf(*reopened), WeightsOf(*reference));
  EXPECT_EQ(Classify(*reopened, 7).probability, Classify(*reference, 7).probability);
  EXPECT_EQ(reopened->Inspect().Statistics()->spam, reference->Inspect().Statistics()->spam);
}

TEST_P(RebuildTest, CorrectedEqualsAModelTaughtWithoutMistakes) {
  const auto reference = Open("reference");
  const auto model = Open("model", 40);
  const auto is_mistaken = [](int i) { return i % 7 == 3; };
  const auto wrong = [](int i) { return OtherClass(LabelNumber(i)); };
  for (int i = 0; i < 150; ++i) {
    Learn(*reference, InRuns(i));
    LearnAs(*model, InRuns(i), is_mistaken(i) ? wrong(InRuns(i)) : LabelNumber(InRuns(i)));
  }
  for (int i = 0; i < 150; ++i) {  // some are corrected more than once
    if (!is_mistaken(i)) continue;
    Learn(*model, InRuns(i), Evidence::kCorrection);
    if (i % 2 == 0) LearnAs(*model, InRuns(i), wrong(InRuns(i)), Evidence::kCorrection);
    if (i % 2 == 0) Learn(*model, InRuns(i), Evidence::kCorrection);
  }
  EXPECT_NE(WeightsOf(*model), WeightsOf(*reference));
  auto learner = learners::MakeLearner(GetParam(), {});
  ASSERT_TRUE(model->Rebuild(*std::move(learner), {}, LabelsToLearn::kCorrected, nullptr).has_value());
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
  EXPECT_EQ(model->Inspect().Statistics()->spam, reference->Inspect().Statistics()->spam);
  EXPECT_EQ(Classify(*model, 7).probability, Classify(*reference, 7).probability);
}

// What the model taught itself, and a user corrected, is the user's reply.
TEST_P(RebuildTest, CorrectedSelfTeachingIsAReply) {
  const auto reference = Open("reference");
  const auto model = Open("model");
  const auto is_own = [](int i) { return i >= 60 && i % 7 == 3; };
  for (int i = 0; i < 150; ++i) {
    const Label label = LabelNumber(InRuns(i));
    LearnAs(*reference, InRuns(i), label,
            is_own(i) && i % 2 == 0 ? Evidence::kReply
            : is_own(i)             ? Evidence::kSelf
                                    : Evidence::kStream);
    LearnAs(*model, InRuns(i), is_own(i) && i % 2 == 0 ? OtherClass(label) : label,
            is_own(i) ? Evidence::kSelf : Evidence::kStream);
  }
  for (int i = 0; i < 150; ++i) {
    if (is_own(i) && i % 2 == 0) Learn(*model, InRuns(i), Evidence::kCorrection);
  }
  auto learner = learners::MakeLearner(GetParam(), {});
  ASSERT_TRUE(model->Rebuild(*std::move(learner), {}, LabelsToLearn::kCorrected, nullptr).has_value());
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
  EXPECT_EQ(model->Inspect().taught().answered, reference->Inspect().taught().answered);
  EXPECT_GT(model->Inspect().taught().answered, 0U);
}

// Of a log whose beginning has expired: the mistake is gone, so there is nothing to take back.
TEST_P(RebuildTest, ACorrectionOfWhatHasExpiredTakesNothingBack) {
  settings_.rehearsal.draws = 0;  // the numbers of examples, by which these are drawn, differ
  keep_.bytes = 60000;
  const auto model = Open("model");
  LearnAs(*model, 1, Label::kSpam);
  for (int i = 2; i < 250; ++i) Learn(*model, i);
  Learn(*model, 1, Evidence::kCorrection);
  for (int i = 250; i < 260; ++i) Learn(*model, i);
  const uint64_t expired = model->Inspect().log().expired;
  ASSERT_GT(expired, 0U);
  ASSERT_LT(expired, 249U);
  keep_ = {};
  const auto reference = Open("reference");
  for (int i = static_cast<int>(expired) + 1; i < 250; ++i) Learn(*reference, i);
  Learn(*reference, 1, Evidence::kReply);
  for (int i = 250; i < 260; ++i) Learn(*reference, i);
  auto learner = learners::MakeLearner(GetParam(), {});
  ASSERT_TRUE(model->Rebuild(*std::move(learner), settings_.rehearsal, LabelsToLearn::kAsTaught, nullptr)
                  .has_value());
  EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
}

// As releases did that logged a text only where the model did not know the feature. The rebuilt model learns
// from other examples, so that it may come to know a feature later.
TEST_P(RebuildTest, ALearnerThatSkipsOtherExamplesHasEveryText) {
  settings_.rehearsal.draws = 0;  // rehearsal drops features of such a log, which the reference keeps
  const auto teach = [](Model& model, bool logs_all_texts) {
    std::set<uint64_t> known;
    const auto learn = [&](int i, Label label, const std::string& name) {
      const Features features = FeaturesOf(model, i);
      Features logged;
      for (size_t f = 0; f < features.size(); ++f) {
        const bool has_text = known.insert(features.ids[f]).second || logs_all_texts;
        logged.Add(features.ids[f], features.values[f], has_text ? features.Text(f) : std::string_view());
      }
      std::string encoded;
      tokenizer::EncodeFeatures(logged, model.identity().MakeIdSpace(), &encoded);
      const auto learned =
          model.Learn(features, {name, ""}, {label, Evidence::kStream}, {.encoded = encoded});
      ASSERT_TRUE(learned.has_value()) << learned.error().message;
    };
    for (int i = 0; i < 150; ++i) learn(i, LabelNumber(i), "message" + std::to_string(i));
    // A picky learner skips many of these the first time, because it is sure of them.
    for (int i = 100; i < 150; ++i) learn(i, OtherClass(LabelNumber(i)), "again" + std::to_string(i));
  };
  settings_.learner_options["min_gradient"] = "0";
  const auto model = Open("model", 40);
  teach(*model, /*logs_all_texts=*/false);
  for (const std::string picky : {"0.3", "0.45"}) {
    settings_.learner_options["min_gradient"] = picky;
    const auto reference = Open("reference" + picky);
    teach(*reference, /*logs_all_texts=*/true);
    auto learner = learners::MakeLearner(GetParam(), {{"min_gradient", picky}});
    ASSERT_TRUE(learner.has_value()) << learner.error();
    ASSERT_TRUE(model->Rebuild(*std::move(learner), settings_.rehearsal, LabelsToLearn::kAsTaught, nullptr)
                    .has_value());
    EXPECT_FALSE(WeightsOf(*model).empty());
    EXPECT_EQ(WeightsOf(*model), WeightsOf(*reference));
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, RebuildTest, SeveralLearners(), NameOfCase);

}  // namespace
}  // namespace thresher::pipeline

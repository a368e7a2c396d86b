// Examples that are rehearsed stay readable although they expire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "pipeline/check/model_check.h"
#include "pipeline/delivery/forget_messages.h"
#include "pipeline/export/model_export.h"
#include "pipeline/export/model_import.h"
#include "tests/pipeline/model/model_fixture.h"
#include "tests/pipeline/model/rehearsing_twin.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ExpiredRehearsalTest : public ModelFixture {
 protected:
  ExpiredRehearsalTest() {
    settings_.rehearsal = {.draws = 4, .memory = 60, .mistrust = 0.5};
    keep_.bytes = 60000;  // some 40 examples
  }

  // Teaches messages until the log has lost some, and opens the model again and again.
  std::unique_ptr<Model> TeachUntilSomeExpire(RehearsingTwin* twin) {
    auto model = Open("model", 17);
    for (int i = 0; i < kMessages; ++i) {
      const Label label = i % 13 == 5 ? Label::kSpam : LabelNumber(InRuns(i));
      const tokenizer::Features features = FeaturesOf(*model, InRuns(i));
      const double margin = LearnAs(*model, InRuns(i), label).margin;
      if (twin != nullptr) {
        EXPECT_EQ(margin, twin->Learn(features, label)) << i;
      }
      if (i % 53 == 0) {
        model.reset();
        model = Open("model", 17);
      }
    }
    EXPECT_GT(model->Inspect().log().expired, 200U);
    return model;
  }
  std::string Exported(const std::string& name) {
    std::string lines;
    const auto done =
        ExportModel(directory_ / name, settings_, [&](std::string_view line) { lines += line; });
    EXPECT_TRUE(done.has_value()) << done.error().message;
    return lines;
  }
  void ExpectSound(const std::string& name) {
    const auto check = CheckModel(directory_ / name, settings_, [](uint64_t, uint64_t) {});
    ASSERT_TRUE(check.has_value()) << check.error().message;
    EXPECT_THAT(check->wrong, IsEmpty());
  }

  static constexpr int kMessages = 620;
};

TEST_P(ExpiredRehearsalTest, IsThatOfATwinWhoseExamplesDoNotExpire) {
  RehearsingTwin twin(GetParam(), settings_.rehearsal);
  TeachUntilSomeExpire(&twin);
  ExpectSound("model");
}

TEST_P(ExpiredRehearsalTest, GoesWithTheModelIntoAnExport) {
  ASSERT_TRUE(TeachUntilSomeExpire(nullptr)->Checkpoint().has_value());
  const std::string exported = Exported("model");
  EXPECT_THAT(exported, HasSubstr("{\"kept\":"));
  const auto imported = ImportModel(directory_.Write("export", exported), directory_ / "copy", settings_);
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_GT(imported->kept, 0U);
  EXPECT_EQ(Exported("copy"), exported);
  ExpectSound("copy");
  const auto model = Open("model");
  const auto copy = Open("copy");
  for (int i = kMessages; i < kMessages + 60; ++i)
    ASSERT_EQ(Learn(*model, InRuns(i)).margin, Learn(*copy, InRuns(i)).margin) << i;
}

TEST_P(ExpiredRehearsalTest, ForgottenMessagesLeaveIt) {
  const auto model = TeachUntilSomeExpire(nullptr);
  ASSERT_TRUE(model->Checkpoint().has_value());
  ASSERT_THAT(Exported("model"), HasSubstr("{\"kept\":"));
  const uint64_t last = model->Inspect().log().last_seq;
  const auto forgotten =
      model->Forget([&](const storage::Example& example) { return example.seq + 100 < last; });
  ASSERT_TRUE(forgotten.has_value()) << forgotten.error().message;
  EXPECT_GT(forgotten->examples, 0U);
  EXPECT_THAT(Exported("model"), Not(HasSubstr("{\"kept\":")));
  ExpectSound("model");
}

TEST_P(ExpiredRehearsalTest, AMessageThatIsTaughtUnderTheOtherLabelLeavesIt) {
  const auto model = TeachUntilSomeExpire(nullptr);
  const auto is_spam = [](const tokenizer::MessageKey& key) {
    return LabelNumber(std::stoi(key.message_id.substr(std::string("message").size()))) == Label::kSpam;
  };
  const auto keys = model->Messages().ExpiredKeys();
  ASSERT_TRUE(keys.has_value());
  const auto key = std::ranges::find_if(*keys, is_spam);
  ASSERT_NE(key, keys->end());
  const int number = std::stoi(key->message_id.substr(std::string("message").size()));
  LearnAs(*model, number, Label::kSpam);
  EXPECT_THAT(*model->Messages().ExpiredKeys(), testing::Contains(*key));
  LearnAs(*model, number, Label::kHam);
  EXPECT_THAT(*model->Messages().ExpiredKeys(), Not(testing::Contains(*key)));
}

TEST_P(ExpiredRehearsalTest, OneMessageOfItCanBeForgotten) {
  const auto model = TeachUntilSomeExpire(nullptr);
  ASSERT_TRUE(model->Checkpoint().has_value());
  const auto keys = model->Messages().ExpiredKeys();
  ASSERT_TRUE(keys.has_value());
  ASSERT_GT(keys->size(), 1U);
  EXPECT_EQ(TaughtKey(*model, "", (*keys)[0].message_id, "").value(), (*keys)[0]);
  EXPECT_EQ(TaughtKey(*model, {.own = (*keys)[1], .delivered = {}, .unkeyed = {}}, {}).value(), (*keys)[1]);
  EXPECT_FALSE(TaughtKey(*model, "", "nobody", "").has_value());
  const auto forgotten = ForgetThese(*model, SpoolOf(settings_, model->decoder()), {(*keys)[0]});
  ASSERT_TRUE(forgotten.has_value()) << forgotten.error().message;
  EXPECT_EQ(forgotten->examples, 1U);
  EXPECT_THAT(*model->Messages().ExpiredKeys(), Not(testing::Contains((*keys)[0])));
  ExpectSound("model");
}

// What expired since the last checkpoint is not taken away from the size of the log twice.
TEST_P(ExpiredRehearsalTest, WhatHasJustExpiredCanBeForgotten) {
  const auto model = TeachUntilSomeExpire(nullptr);
  const uint64_t expired = model->Inspect().log().expired;
  const auto forgotten = model->Forget([&](const storage::Example& example) { return example.seq % 3 == 0; });
  ASSERT_TRUE(forgotten.has_value()) << forgotten.error().message;
  EXPECT_EQ(model->Inspect().log().expired, expired);
  ExpectSound("model");
}

INSTANTIATE_TEST_SUITE_P(Learners, ExpiredRehearsalTest,
                         testing::Values("adaptive-ftrl", "ftrl", "lazy-sgd", "truncated-gradient"),
                         NameOfCase);

}  // namespace
}  // namespace thresher::pipeline

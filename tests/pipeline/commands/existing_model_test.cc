// What a model that exists takes of the configuration, and how commands say so.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ExistingModelTest : public StoreFixture {
 protected:
  std::string File(const std::string& text) const { return directory_.Write("config.yaml", text); }
};

TEST_F(ExistingModelTest, RebuildSaysThatThePresetOfAFileIsForNewModels) {
  Learn("--spam", SpamMessage(1));
  Learn("--ham", HamMessage(1));
  const std::string file = File("preset: sparse\n");
  const Ran kept = Run({"rebuild", "--config", file});
  EXPECT_EQ(kept.exit_code, 0);
  EXPECT_THAT(kept.out, HasSubstr("\nlearner adaptive-ftrl, as before\n"));
  EXPECT_THAT(kept.err, AllOf(HasSubstr(file + ":1: preset sparse is for new models"),
                              HasSubstr("only --preset does")));
  const Ran changed = Run({"rebuild", "--config", file, "--preset", "sparse"});
  EXPECT_THAT(changed.out, HasSubstr("\nlearner ftrl, was adaptive-ftrl: "));
  EXPECT_THAT(changed.err, Not(HasSubstr("new models")));
  EXPECT_THAT(Run({"rebuild", "--config", file}).err, Not(HasSubstr("new models"))) << "it is of that preset";
  EXPECT_THAT(Run({"rebuild", "--config", File("thresholds:\n  spam: 0.9\n")}).err,
              Not(HasSubstr("new models")));
}

TEST_F(ExistingModelTest, RebuildSaysThatFeaturesStay) {
  using Case = std::tuple<const char*, const char*, bool>;
  for (const auto& [taught, rebuilt, stay] :
       {Case("fast", "default", true), Case("sparse", "default", false), Case("fast", "fast", false)}) {
    const std::string store = directory_ / (std::string(taught) + rebuilt);
    ASSERT_EQ(
        RunThresher({"learn", "--spam", "--preset", taught, "--store", store}, SpamMessage(1)).exit_code, 0);
    const Ran ran = RunThresher({"rebuild", "--preset", rebuilt, "--store", store});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.err.find("the features stay as they are") != std::string::npos, stay) << taught << rebuilt;
  }
}

TEST_F(ExistingModelTest, RefusesAnotherPresetByItsName) {
  Learn("--spam", SpamMessage(1));
  const Ran refused = Run({"classify", "--preset", "tiny"}, SpamMessage(1));
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err,
              HasSubstr("made with learner adaptive-ftrl, not ftrl (preset=tiny): teach it again"));
  EXPECT_THAT(Run({"classify", "--set", "learner.name=ftrl"}, SpamMessage(1)).err,
              HasSubstr(", not ftrl: teach it again"));
  ASSERT_EQ(Run({"rebuild", "--preset", "sparse"}).exit_code, 0);
  EXPECT_THAT(Run({"classify", "--preset", "tiny"}, SpamMessage(1)).err,
              AllOf(HasSubstr("alpha=2.5, not 3"), HasSubstr(" (preset=tiny): teach it again")));
  EXPECT_EQ(Run({"classify", "--preset", "default"}, SpamMessage(1)).exit_code, 2) << "it says nothing";
}

TEST_F(ExistingModelTest, EffectiveSettingsAreThoseOfTheModel) {
  const std::string as_new = Run({"config", "--effective", "--preset", "tiny"}).out;
  EXPECT_THAT(as_new, Not(HasSubstr("from \"the model")));
  ASSERT_EQ(Run({"learn", "--spam", "--preset", "tiny"}, SpamMessage(1)).exit_code, 0);
  EXPECT_EQ(Run({"config", "--effective", "--preset", "tiny"}).out, as_new) << "nothing differs";

  const std::string model = "from \"the model " + store_ + "/default";
  const std::string kept = Run({"config", "--effective"}).out;
  EXPECT_THAT(kept,
              AllOf(HasSubstr("\n  name: ftrl  # " + model + ", not adaptive-ftrl\"\n"),
                    HasSubstr("\n    l1_growth: \"0.5\"  # " + model + "\"\n"),
                    HasSubstr("\n  draws: 6  # " + model + ", not 3\"\n"), HasSubstr("\n  #spam: 0.97\n")));

  const std::string file = File(
      "learner:\n  name: ftrl\n  options:\n    alpha: 2\n    beta: 0.017\n"
      "features:\n  urls: false\n");
  EXPECT_THAT(Run({"config", "--effective", "--config", file}).out,
              AllOf(HasSubstr("\n  name: ftrl  # from \"" + file + ":2\"\n"),
                    HasSubstr("\n    alpha: \"3\"  # " + model + ", not 2 (" + file + ":4)\"\n"),
                    HasSubstr("\n    beta: \"0.017\"  # from \"" + file + ":5\"\n"),
                    HasSubstr("\n  urls: true  # " + model + ", not false (" + file + ":7)\"\n")));
  EXPECT_THAT(Run({"config", "--effective", "--model", "other"}).out, Not(HasSubstr("from \"the model")));
}

// What is printed, loaded again, is what is in force.
TEST_F(ExistingModelTest, EffectiveSettingsMakeSuchAModel) {
  ASSERT_EQ(
      Run({"learn", "--spam", "--preset", "fast", "--set", "log.holds=message"}, SpamMessage(1)).exit_code,
      0);
  const std::string file = File(Run({"config", "--effective"}).out);
  ASSERT_EQ(Run({"learn", "--spam", "--model", "copy", "--config", file}, SpamMessage(1)).exit_code, 0);
  const auto recorded = [&](const std::string& name) {
    const std::string text = Run({"export", "--model", name}).out;
    const size_t features = text.find("\"features\"");
    return text.substr(features, text.find('\n', features) - features);
  };
  EXPECT_THAT(recorded("copy"), HasSubstr("headers=false"));
  EXPECT_EQ(recorded("copy"), recorded("default"));
  EXPECT_THAT(Run({"stats", "--model", "copy"}).out, HasSubstr("log of messages  1"));
}

TEST_F(ExistingModelTest, AModelThatCannotBeReadIsNotInForce) {
  const std::string file = directory_.Write("file", "no store");
  const Ran ran = RunThresher({"config", "--effective", "--store", file});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, HasSubstr("what follows is of the configuration alone"));
  EXPECT_THAT(ran.out, HasSubstr("path: \"" + file));
}

}  // namespace
}  // namespace thresher::pipeline

// The table of settings, assignments, and where store and configuration are by default.
#include "pipeline/settings/settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/settings/table.h"
#include "tests/pipeline/settings/settings_file.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SettingsTable, KeysAreSectionsTogetherAndDefaultsAreInRange) {
  std::set<std::string_view> keys;
  std::vector<std::string_view> sections;
  const std::string defaults = Printed(Settings());
  for (const Setting& setting : AllSettings()) {
    EXPECT_TRUE(keys.insert(setting.key()).second) << setting.key();
    EXPECT_THAT(std::string(setting.option.help), testing::EndsWith(".")) << setting.key();
    if (setting.key() == kPresetKey) continue;
    EXPECT_EQ(std::ranges::count(setting.key(), '.'), 1) << setting.key();
    const std::string_view section = setting.section();
    if (sections.empty() || sections.back() != section) sections.push_back(section);
    Settings settings;
    EXPECT_TRUE(setting.Set(settings, setting.Text(Settings()))) << setting.key();
    EXPECT_EQ(Printed(settings), defaults) << setting.key();
  }
  EXPECT_EQ(std::set(sections.begin(), sections.end()).size(), sections.size());
  EXPECT_TRUE(Settings().Validate());
}

TEST(Settings, Assignments) {
  Settings settings;
  ASSERT_TRUE(settings.Assign("thresholds.spam=0.9"));
  ASSERT_TRUE(settings.Assign("features.ignore_headers=X-A,X-B*"));
  EXPECT_EQ(settings.thresholds.spam, 0.9);
  EXPECT_THAT(settings.features.ignore_headers, ElementsAre("X-A", "X-B*"));
  EXPECT_EQ(settings.Assign("nothing").error().message, "nothing: expected KEY=VALUE");
  EXPECT_EQ(settings.Assign("featurs.urls=true").error().message,
            "featurs.urls=true: unknown setting \"featurs.urls\"; did you mean \"features.urls\"?");
  EXPECT_EQ(settings.Assign("thresholds.spam=2").error().message,
            "thresholds.spam=2: expected a number from 0 to 1, found \"2\"");
  for (const std::string bytes : {"-1", "0.5", "1e16"})
    EXPECT_FALSE(settings.Assign("rehearsal.bytes=" + bytes)) << bytes;
  ASSERT_TRUE(settings.Assign("rehearsal.bytes=0"));
  EXPECT_EQ(settings.rehearsal.bytes, 0U);
}

TEST(Settings, OptionsMayComeBeforeTheirLearner) {
  Settings settings;
  const std::vector<std::string> assignments = {"learner.options.l1=1e-2", "learner.name=ftrl"};
  ASSERT_TRUE(settings.AssignAll(assignments));
  EXPECT_EQ(settings.learner_options.at("l1"), "1e-2");
  EXPECT_FALSE(settings.AssignAll(std::vector<std::string>{"learner.options.l1"}));
}

TEST(Settings, OptionsWithoutALearnerMayBeForTheLearnerOfAModel) {
  Settings settings;
  ASSERT_TRUE(settings.Assign("learner.options.radius=100"));
  EXPECT_TRUE(settings.Validate());
  EXPECT_THAT(settings.ValidateNewLearner().error().message,
              testing::StartsWith("learner.options.radius=100: learner adaptive-ftrl: "));
  ASSERT_TRUE(settings.Assign("learner.name=lazy-sgd"));
  ASSERT_TRUE(settings.Assign("learner.options.radius=100"));
  EXPECT_FALSE(settings.Validate());
  ASSERT_TRUE(settings.Assign("learner.name=l1-ball"));
  ASSERT_TRUE(settings.Assign("learner.options.radius=100"));
  EXPECT_TRUE(settings.Validate());
  EXPECT_TRUE(settings.ValidateNewLearner());
}

TEST(Settings, KnowWhatWasNamed) {
  Settings settings;
  EXPECT_FALSE(settings.IsNamed("learner"));
  ASSERT_TRUE(settings.Assign("learner.options.l1=1e-6"));
  ASSERT_TRUE(settings.Assign("features.urls=true"));
  EXPECT_TRUE(settings.IsNamed("learner"));
  EXPECT_TRUE(settings.IsNamed("learner.options"));
  EXPECT_FALSE(settings.IsNamed("learner.name"));
  EXPECT_FALSE(settings.IsNamed("learn"));
  EXPECT_TRUE(settings.IsNamed("features.urls"));
  EXPECT_FALSE(settings.IsNamed("features.url"));
}

TEST(Settings, AnotherLearnerDropsTheOptionsOfTheOneBefore) {
  Settings settings;
  ASSERT_TRUE(settings.Assign("learner.name=lazy-fobos"));
  ASSERT_TRUE(settings.Assign("learner.options.l1=1e-6"));
  ASSERT_TRUE(settings.Assign("learner.name=lazy-fobos"));
  EXPECT_EQ(settings.learner_options.size(), 1u);
  ASSERT_TRUE(settings.Assign("learner.name=lazy-sgd"));
  EXPECT_THAT(settings.learner_options, IsEmpty());
  EXPECT_FALSE(settings.IsNamed("learner.options"));
}

TEST(Settings, FeaturesAsTextAndBack) {
  Settings settings;
  for (const char* assignment :
       {"features.urls=false", "features.values=binary", "features.ignore_headers=X-A*,B",
        "features.raw_head_bytes=100", "limits.tokens=7"}) {
    ASSERT_TRUE(settings.Assign(assignment));
  }
  const std::string text = FeatureSettingsText(settings.features);
  EXPECT_EQ(text.find("tokens"), std::string::npos);
  tokenizer::Options options;
  ASSERT_TRUE(RestoreFeatureSettings(text, &options));
  EXPECT_FALSE(options.urls);
  EXPECT_EQ(options.values, tokenizer::ValueScheme::kBinary);
  EXPECT_THAT(options.ignore_headers, ElementsAre("X-A*", "B"));
  EXPECT_EQ(options.raw_head_bytes, 100u);
  EXPECT_EQ(options.tokens, tokenizer::Options().tokens);
  EXPECT_EQ(FeatureSettingsText(options), text);
  // What a record does not name did not exist when it was written.
  ASSERT_TRUE(RestoreFeatureSettings("urls=true", &options));
  EXPECT_TRUE(options.urls);
  EXPECT_FALSE(options.headers);
  EXPECT_EQ(options.ngram_head_bytes, 0u);
  EXPECT_FALSE(RestoreFeatureSettings("urls=perhaps", &options));
  EXPECT_FALSE(RestoreFeatureSettings("colour=red", &options));
}

// Restores the environment.
class Environment : public testing::Test {
 protected:
  void Set(const char* name, const std::optional<std::string>& value) {
    const char* const before = std::getenv(name);
    before_.emplace_back(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
    Put(name, value);
  }
  void TearDown() override {
    std::reverse(before_.begin(), before_.end());
    for (const auto& [name, value] : before_) Put(name, value);
  }

 private:
  static void Put(const char* name, const std::optional<std::string>& value) {
    if (value) {
      setenv(name, value->c_str(), 1);
    } else {
      unsetenv(name);
    }
  }
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

TEST_F(Environment, StoreAndConfigurationFollowXdg) {
  const TestDirectory folder;
  Set("HOME", (folder / "home"));
  Set("XDG_DATA_HOME", std::nullopt);
  Set("XDG_CONFIG_HOME", "relative");
  EXPECT_EQ(Settings().store_path, (folder / "home") + "/.local/share/thresher");
  folder.Write("home/.config/thresher/config.yaml",
               "store:\n  path: ~/mail\nlists:\n  file: ~/lists\nserve:\n  token_file: ~/token\n"
               "cluster:\n  credentials_file: ~/nats.creds\n  ca_file: ~/ca.pem\n");
  EXPECT_EQ(LoadSettings("")->store_path, (folder / "home") + "/mail");
  EXPECT_EQ(LoadSettings("")->lists.file, (folder / "home") + "/lists");
  EXPECT_EQ(LoadSettings("")->serve.token_file, (folder / "home") + "/token");
  EXPECT_EQ(LoadSettings("")->cluster.credentials_file, (folder / "home") + "/nats.creds");
  EXPECT_EQ(LoadSettings("")->cluster.ca_file, (folder / "home") + "/ca.pem");

  Set("XDG_DATA_HOME", "/data");
  Set("XDG_CONFIG_HOME", (folder / "xdg"));
  EXPECT_EQ(Settings().store_path, "/data/thresher");
  folder.Write("xdg/thresher/config.yaml", "store:\n  model: other\n");
  EXPECT_EQ(LoadSettings("")->model, "other");

  Set("XDG_CONFIG_HOME", (folder / "nothing"));
  EXPECT_TRUE(LoadSettings(""));
  EXPECT_FALSE(LoadSettings((folder / "nothing")));
  folder.Write("nothing/thresher/config.yaml", "nonsense\n");
  EXPECT_FALSE(LoadSettings(""));
}

}  // namespace
}  // namespace thresher::pipeline

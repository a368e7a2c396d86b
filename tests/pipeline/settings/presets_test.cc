// Presets: what they set and what overrides them.
#include "pipeline/settings/presets.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/settings/table.h"
#include "tests/pipeline/settings/settings_file.h"

namespace thresher::pipeline {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Presets, AreValidAndDoWhatTheySay) {
  EXPECT_EQ(AllPresets().front().name, Settings().preset);
  EXPECT_THAT(AllPresets().front().values, IsEmpty());
  std::set<std::string_view> names;
  for (const Preset& preset : AllPresets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_TRUE(names.insert(preset.name).second);
    EXPECT_FALSE(preset.help.empty());
    Settings by_preset;
    ASSERT_TRUE(by_preset.Assign(fmt::format("preset={}", preset.name)));
    EXPECT_TRUE(by_preset.Validate());
    Settings by_hand;
    for (const Preset::Value& value : preset.values) {
      EXPECT_FALSE(value.key == kPresetKey || value.key.starts_with("store."));
      const std::string before = Printed(by_hand);
      ASSERT_TRUE(by_hand.Assign(fmt::format("{}={}", value.key, value.text))) << value.key;
      EXPECT_TRUE(by_preset.IsNamed(value.key));
      // Naming the learner the default has says that its options belong to it.
      if (value.key == "learner.name") continue;
      EXPECT_NE(Printed(by_hand), before) << value.key << " has its default";
    }
    by_hand.preset = preset.name;
    EXPECT_EQ(Printed(by_preset), Printed(by_hand));
  }
}

TEST(Presets, WhatIsNamedWinsWhateverTheOrder) {
  const std::vector<std::string> named = {"preset=sparse", "learner.options.l1=0.5", "thresholds.spam=0.9",
                                          "features.urls=false"};
  std::vector<size_t> order = {0, 1, 2, 3};
  do {
    Settings settings;
    for (const size_t i : order) ASSERT_TRUE(settings.Assign(named[i]));
    EXPECT_EQ(settings.learner_options.at("l1"), "0.5");
    EXPECT_EQ(settings.learner, "ftrl");
    EXPECT_EQ(settings.thresholds.spam, 0.9);
    EXPECT_FALSE(settings.features.urls);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Presets, AnotherLearnerWinsWithItsOwnOptions) {
  for (const bool preset_first : {true, false}) {
    Settings settings;
    for (const bool preset : {preset_first, !preset_first}) {
      ASSERT_TRUE(settings.Assign(preset ? "preset=sparse" : "learner.name=lazy-sgd"));
    }
    ASSERT_TRUE(settings.Assign("learner.options.l1=1e-06"));
    EXPECT_EQ(settings.learner, "lazy-sgd");
    EXPECT_EQ(settings.learner_options, (learners::OptionValues{{"l1", "1e-06"}}));
    EXPECT_TRUE(settings.Validate());
  }
}

TEST(Presets, ANextOneReplacesTheOneBefore) {
  Settings settings;
  ASSERT_TRUE(settings.Assign("preset=fast"));
  EXPECT_FALSE(settings.features.headers);
  ASSERT_TRUE(settings.Assign("preset=sparse"));
  EXPECT_TRUE(settings.features.headers);
  EXPECT_FALSE(settings.IsNamed("features"));
  ASSERT_TRUE(settings.Assign("preset=default"));
  EXPECT_EQ(Printed(settings), Printed(Settings()));
}

// A model that was made before the preset had this value goes on with the preset.
TEST(Presets, FastAsksANewModelOnlyHowMuchNgramsRead) {
  Settings settings;
  ASSERT_TRUE(settings.Assign("preset=fast"));
  EXPECT_EQ(settings.features.raw_head_bytes, 3500U);
  EXPECT_EQ(settings.features.ngram_head_bytes, 2500U);
  EXPECT_FALSE(settings.IsOnCommandLine("features.raw_head_bytes"));
  EXPECT_FALSE(settings.IsOnCommandLine("features.ngram_head_bytes"));
  EXPECT_TRUE(settings.IsOnCommandLine("features.headers"));
}

TEST_F(SettingsFile, Presets) {
  const auto settings = Load("learner:\n  options:\n    alpha: 0.7\npreset: sparse\n");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->learner_options.at("alpha"), "0.7");
  EXPECT_EQ(settings->learner_options.at("l1"), "0.0025");
  EXPECT_EQ(settings->named.at("learner.options.l1").place, (folder_ / "config.yaml") + ":4");
  EXPECT_EQ(ErrorOf("preset: sprase\n"),
            "1: preset: expected one of default, sparse, tiny, fast, found \"sprase\"");
  EXPECT_THAT(ErrorOf("preset:\n  name: sparse\n"), StartsWith("1: preset: expected one of"));
}

}  // namespace
}  // namespace thresher::pipeline

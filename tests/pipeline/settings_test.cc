// Settings from files and assignments, their errors, and printing them.
#include "pipeline/settings/settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "pipeline/settings/nearest_word.h"
#include "pipeline/settings/presets.h"
#include "pipeline/settings/table.h"
#include "tests/pipeline/temporary_folder.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string FileOf(const Settings& settings) {
  std::ostringstream out;
  PrintSettings(settings, out);
  return out.str();
}

// The same, whatever named the settings: equal texts are equal settings.
std::string Printed(const Settings& settings) {
  static const std::regex place("  # from .*");
  static const std::regex commented("\\n( *)#(?=[a-z])");
  return std::regex_replace(std::regex_replace(FileOf(settings), place, ""), commented, "\n$1");
}

class SettingsFile : public testing::Test {
 protected:
  Result<Settings> Load(std::string_view yaml) {
    Result<Settings> settings = LoadSettings(folder_.Write("config.yaml", yaml));
    if (!settings) return settings;
    const Result<void> valid = settings->Validate();
    if (!valid) return tl::unexpected(valid.error());
    return settings;
  }

  // The error of a file without the file's name: "2: unknown …"; empty if there is none.
  std::string ErrorOf(std::string_view yaml) {
    const Result<Settings> settings = Load(yaml);
    if (settings) return "";
    EXPECT_EQ(settings.error().exit_code, kConfig);
    EXPECT_EQ(settings.error().message.find('\n'), std::string::npos);
    const std::string file = folder_.PathOf("config.yaml") + ":";
    EXPECT_THAT(settings.error().message, StartsWith(file));
    return settings.error().message.substr(file.size());
  }

  TemporaryFolder folder_;
};

TEST_F(SettingsFile, EveryKindOfValue) {
  const auto settings = Load(
      "store:\n  path: /var/lib/thresher\n  wait_seconds: 1.5\n"
      "features:\n  urls: false\n  values: log_count\n  ignore_headers: [X-A*, \"X-B\"]\n"
      "limits: {tokens: 100}\n"
      "filter:\n  on_error: tempfail\n");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->store_path, "/var/lib/thresher");
  EXPECT_EQ(settings->wait_seconds, 1.5);
  EXPECT_FALSE(settings->features.urls);
  EXPECT_EQ(settings->features.values, tokenizer::ValueScheme::kLogCount);
  EXPECT_THAT(settings->features.ignore_headers, ElementsAre("X-A*", "X-B"));
  EXPECT_EQ(settings->features.tokens, 100u);
  EXPECT_EQ(settings->filter_on_error, "tempfail");
  EXPECT_TRUE(settings->features.headers);
}

TEST_F(SettingsFile, SwitchesHaveSeveralWordsAndSectionsTwoForms) {
  EXPECT_FALSE(Load("features:\n  headers: off\n")->features.headers);
  EXPECT_FALSE(Load("features.headers: no\n")->features.headers);
  EXPECT_TRUE(Load("features.headers: yes\n")->features.headers);
  EXPECT_THAT(ErrorOf("features.headers: yes\nfeatures: {headers: yes}\n"), HasSubstr("a second time"));
}

TEST_F(SettingsFile, EmptyFilesAndSectionsAreTheDefaults) {
  for (const char* yaml :
       {"", "\n", "# nothing\n", "features:\n", "features:\n  # urls: false\nlearner:\n  options:\n", "---\n",
        "{}", "~", "\xef\xbb\xbf# mark\n"}) {
    const auto settings = Load(yaml);
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(Printed(*settings), Printed(Settings())) << yaml;
  }
}

TEST_F(SettingsFile, UnknownSettings) {
  EXPECT_EQ(ErrorOf("# a\nfeaturs:\n  urls: false\n"),
            "2: unknown setting \"featurs.urls\"; did you mean \"features.urls\"?");
  EXPECT_EQ(ErrorOf("features:\n  urls: true\n  ulrs: false\n"),
            "3: unknown setting \"features.ulrs\"; did you mean \"features.urls\"?");
  EXPECT_EQ(ErrorOf("urls: true\n"), "1: unknown setting \"urls\"; did you mean \"features.urls\"?");
  EXPECT_EQ(ErrorOf("colour: red\n"), "1: unknown setting \"colour\"; `thresher config` prints them all");
}

TEST_F(SettingsFile, WrongValues) {
  EXPECT_EQ(ErrorOf("features:\n  urls: maybe\n"),
            "2: features.urls: expected true or false (yes, no, on, off), found \"maybe\"");
  EXPECT_EQ(ErrorOf("limits:\n  tokens: 0\n"),
            "2: limits.tokens: expected a whole number from 1 to 100000000, found \"0\"");
  EXPECT_EQ(ErrorOf("thresholds:\n  spam: 1.5\n"),
            "2: thresholds.spam: expected a number from 0 to 1, found \"1.5\"");
  EXPECT_EQ(ErrorOf("store:\n  durability: often\n"),
            "2: store.durability: expected one of auto, sync, group, os, found \"often\"");
  EXPECT_THAT(ErrorOf("limits:\n  tokens: [1]\n"), StartsWith("2: limits.tokens: expected a whole number"));
  EXPECT_THAT(ErrorOf("limits:\n  tokens:\n"), StartsWith("2: limits.tokens: expected a whole number"));
  EXPECT_THAT(ErrorOf("limits:\n  tokens: {a: 1}\n"),
              StartsWith("2: limits.tokens: expected a whole number"));
  EXPECT_THAT(ErrorOf("features: 1\n"), StartsWith("1: features: expected settings below it"));
  EXPECT_THAT(ErrorOf("features:\n  ignore_headers: [\"a b\"]\n"),
              StartsWith("2: features.ignore_headers: expected a list"));
  EXPECT_THAT(ErrorOf("features:\n  ignore_headers: [[a]]\n"),
              StartsWith("2: features.ignore_headers: expected a list"));
  EXPECT_THAT(ErrorOf("[1, 2]\n"), StartsWith("1: expected settings"));
  EXPECT_THAT(ErrorOf("text\n"), StartsWith("1: expected settings"));
  EXPECT_THAT(ErrorOf("? [a]\n: 1\n"), StartsWith("1: expected the name of a setting"));
}

TEST_F(SettingsFile, NumbersAreReadStrictly) {
  for (const char* text :
       {"", "-1", "+1", "1e3", "1.0", "0x10", "1 ", "1,000", "18446744073709551616", "nan"}) {
    EXPECT_NE(ErrorOf(fmt::format("replay:\n  threads: \"{}\"\n", text)), "") << text;
  }
  for (const char* text : {"nan", "inf", "-0.1", "1e999", "0.5x", "0,5"}) {
    EXPECT_NE(ErrorOf(fmt::format("thresholds:\n  spam: {}\n", text)), "") << text;
  }
  for (const char* text : {"0.5", ".5", "5e-1", "1"}) {
    EXPECT_EQ(ErrorOf(fmt::format("thresholds:\n  spam: {}\n", text)), "") << text;
  }
}

TEST_F(SettingsFile, DuplicatesAndOtherDocuments) {
  EXPECT_EQ(ErrorOf("features:\n  urls: true\n  headers: true\n  urls: false\n"),
            "4: features.urls stands here a second time");
  EXPECT_EQ(ErrorOf("features:\n  urls: true\nfeatures:\n  headers: true\n"),
            "3: features stands here a second time");
  EXPECT_EQ(ErrorOf("features:\n  urls: true\n---\nstore:\n  model: x\n"),
            "3: expected nothing after the first YAML document");
}

TEST_F(SettingsFile, WhatIsNotYaml) {
  EXPECT_THAT(ErrorOf("features:\n\turls: true\n"), StartsWith("2: not YAML"));
  EXPECT_THAT(ErrorOf("a: [\n"), HasSubstr("not YAML"));
  EXPECT_THAT(ErrorOf("a: \"x"), HasSubstr("not YAML"));
  EXPECT_THAT(ErrorOf("a: *nobody\n"), HasSubstr("not YAML"));
  EXPECT_THAT(ErrorOf("a: b: c\n"), HasSubstr("not YAML"));
  EXPECT_THAT(ErrorOf(std::string(100000, '[')), HasSubstr("not YAML"));
  EXPECT_THAT(ErrorOf(std::string("store:\n  model: x\n\x04\nthresholds:\n  spam: 7\n")),
              StartsWith("3: a control character"));
  EXPECT_THAT(ErrorOf(std::string("\0\0", 2)), StartsWith("1: a control character"));
}

TEST_F(SettingsFile, AliasesCostNothing) {
  std::string bomb = "a0: &a0 {x: 1}\n";
  for (int i = 1; i < 60; ++i) {
    bomb += fmt::format("a{0}: &a{0} {{x: *a{1}, y: *a{1}}}\n", i, i - 1);
  }
  EXPECT_THAT(ErrorOf(bomb), StartsWith("1: unknown setting \"a0.x\""));
  EXPECT_NE(ErrorOf("features: &f\n  urls: *f\n"), "");
}

TEST_F(SettingsFile, RandomBytesNeverEscapeAsAnException) {
  const std::vector<std::string> pieces = {
      "features", "urls", ":", ": ", "\n", "  ", "- ", "[", "]",     "{",    "}",       "&a ",     "*a",
      "\"",       "'",    "|", ">",  "#",  "? ", "!!", "%", "---\n", "true", "learner", "options", "\t"};
  for (uint64_t seed = 0; seed < 500; ++seed) {
    std::mt19937_64 random(seed);
    std::string yaml;
    for (size_t i = random() % 20; i > 0; --i) {
      yaml +=
          random() % 10 == 0 ? std::string(1, static_cast<char>(random())) : pieces[random() % pieces.size()];
    }
    static_cast<void>(LoadSettings(folder_.Write("config.yaml", yaml)));
  }
}

TEST_F(SettingsFile, LongFilesAndFoldersAreRefused) {
  EXPECT_FALSE(Load(std::string((1u << 20) + 1, '#')));
  const auto folder = LoadSettings(folder_.PathOf(""));
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().exit_code, kConfig);
  EXPECT_THAT(folder.error().message, HasSubstr("regular file"));
}

TEST_F(SettingsFile, ThresholdsInOrder) {
  EXPECT_EQ(ErrorOf("thresholds:\n  spam: 0.1\n"), "2: thresholds.ham is 0.2, above thresholds.spam, 0.1");
  EXPECT_EQ(ErrorOf("thresholds:\n  spam: 0.5\n  ham: 0.6\n"),
            "3: thresholds.ham is 0.6, above thresholds.spam, 0.5");
  EXPECT_EQ(ErrorOf("thresholds:\n  spam: 0.5\n  ham: 0.5\n"), "");
}

TEST_F(SettingsFile, LearnersAndTheirOptions) {
  const auto settings = Load("learner:\n  options:\n    l1: 1e-5\n  name: lazy-fobos\n");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->learner, "lazy-fobos");
  EXPECT_EQ(settings->learner_options.at("l1"), "1e-5");
  EXPECT_THAT(ErrorOf("learner:\n  name: lazy\n"), HasSubstr("2: learner.name: expected one of "));
  EXPECT_THAT(ErrorOf("learner:\n  options:\n    l1: -1\n"), StartsWith("3: "));
  EXPECT_THAT(ErrorOf("learner:\n  options:\n    l0: 1\n"), StartsWith("3: "));
  EXPECT_THAT(ErrorOf("learner:\n  options:\n    l1: [1]\n"),
              StartsWith("3: learner.options.l1: expected one value"));
}

TEST_F(SettingsFile, ModelNamesAreNames) {
  for (const char* name : {"../x", "a/b", ".", "..", ".hidden"}) {
    EXPECT_THAT(ErrorOf(fmt::format("store:\n  model: {}\n", name)),
                StartsWith("2: store.model: expected a name"))
        << name;
  }
}

TEST_F(SettingsFile, PrintedSettingsLoadAgain) {
  const auto defaults = Load(FileOf(Settings()));
  ASSERT_TRUE(defaults) << defaults.error().message;
  EXPECT_THAT(defaults->named, IsEmpty()) << "a copy of the file freezes the defaults";
  // What stands there behind # is every setting with its default.
  const auto uncommented = Load(Printed(Settings()));
  ASSERT_TRUE(uncommented) << uncommented.error().message;
  EXPECT_EQ(uncommented->named.size(), AllSettings().size() + uncommented->learner_options.size());

  Settings changed;
  for (const char* assignment :
       {"store.path=/a \"b\"\\c\x01# é", "thresholds.spam=0.923456789012345",
        "features.ignore_headers=", "features.values=binary", "learner.name=lazy-fobos",
        "learner.options.l1=2e-6", "preset=fast", "spool.max_bytes=1000000000000000", "store.model=~"}) {
    ASSERT_TRUE(changed.Assign(assignment)) << assignment;
  }
  EXPECT_THAT(FileOf(changed), HasSubstr("  spam: 0.923456789012345  # from \"thresholds.spam=0.92345"));
  const auto loaded = Load(FileOf(changed));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(Printed(*loaded), Printed(changed));
  EXPECT_EQ(loaded->store_path, changed.store_path);
  EXPECT_THAT(loaded->features.ignore_headers, IsEmpty());
  EXPECT_EQ(loaded->thresholds.spam, 0.923456789012345);
}

TEST(SettingsTable, KeysAreSectionsTogetherAndDefaultsAreInRange) {
  std::set<std::string_view> keys;
  std::vector<std::string_view> sections;
  for (const Setting& setting : AllSettings()) {
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
    EXPECT_THAT(std::string(setting.help), testing::EndsWith(".")) << setting.key;
    if (setting.key == kPresetKey) continue;
    EXPECT_EQ(std::count(setting.key.begin(), setting.key.end(), '.'), 1) << setting.key;
    const std::string_view section = setting.key.substr(0, setting.key.find('.'));
    if (sections.empty() || sections.back() != section) sections.push_back(section);
    Settings settings;
    EXPECT_TRUE(setting.Set(settings, setting.Text(Settings()))) << setting.key;
    EXPECT_EQ(Printed(settings), Printed(Settings())) << setting.key;
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
            "thresholds.spam=2: thresholds.spam: expected a number from 0 to 1, found \"2\"");
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
  const std::vector<std::string> named = {"preset=noisy-labels", "learner.options.l1=0.5",
                                          "thresholds.spam=0.9", "features.urls=false"};
  std::vector<size_t> order = {0, 1, 2, 3};
  do {
    Settings settings;
    for (const size_t i : order) ASSERT_TRUE(settings.Assign(named[i]));
    EXPECT_EQ(settings.learner_options.at("l1"), "0.5");
    EXPECT_EQ(settings.learner_options.at("alpha"), "0.35");
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

TEST_F(SettingsFile, Presets) {
  const auto settings = Load("learner:\n  options:\n    alpha: 0.7\npreset: noisy-labels\n");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->learner_options.at("alpha"), "0.7");
  EXPECT_EQ(settings->learner_options.at("significance"), "0.8");
  EXPECT_EQ(settings->named.at("learner.options.significance").place, folder_.PathOf("config.yaml") + ":4");
  EXPECT_EQ(ErrorOf("preset: sprase\n"),
            "1: preset: expected one of default, sparse, noisy-labels, fast, found \"sprase\"");
  EXPECT_THAT(ErrorOf("preset:\n  name: sparse\n"), StartsWith("1: preset: expected one of"));
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
  const TemporaryFolder folder;
  Set("HOME", folder.PathOf("home"));
  Set("XDG_DATA_HOME", std::nullopt);
  Set("XDG_CONFIG_HOME", "relative");
  EXPECT_EQ(Settings().store_path, folder.PathOf("home") + "/.local/share/thresher");
  folder.Write("home/.config/thresher/config.yaml", "store:\n  path: ~/mail\n");
  EXPECT_EQ(LoadSettings("")->store_path, folder.PathOf("home") + "/mail");

  Set("XDG_DATA_HOME", "/data");
  Set("XDG_CONFIG_HOME", folder.PathOf("xdg"));
  EXPECT_EQ(Settings().store_path, "/data/thresher");
  folder.Write("xdg/thresher/config.yaml", "store:\n  model: other\n");
  EXPECT_EQ(LoadSettings("")->model, "other");

  Set("XDG_CONFIG_HOME", folder.PathOf("nothing"));
  EXPECT_TRUE(LoadSettings(""));
  EXPECT_FALSE(LoadSettings(folder.PathOf("nothing")));
  folder.Write("nothing/thresher/config.yaml", "nonsense\n");
  EXPECT_FALSE(LoadSettings(""));
}

TEST(NearestWord, IsTheFewestEditsAway) {
  const std::vector<std::string_view> known = {"features.urls", "features.headers", "limits.tokens"};
  EXPECT_EQ(NearestWord("featurs.urls", known), "features.urls");
  EXPECT_EQ(NearestWord("limit.token", known), "limits.tokens");
  EXPECT_EQ(NearestWord("something.else", known), "");
  EXPECT_EQ(NearestWord("", known), "");
  EXPECT_EQ(NearestWord(std::string(100000, 'a'), known), "");
}

}  // namespace
}  // namespace thresher::pipeline

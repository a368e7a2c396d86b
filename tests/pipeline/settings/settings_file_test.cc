// Settings from files, their errors, and printing them as a file.
#include "tests/pipeline/settings/settings_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

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
       {"", "-1", "+1", "1e3", "1.5", "0x10", "1 ", "1,000", "18446744073709551616", "nan"}) {
    EXPECT_NE(ErrorOf(fmt::format("replay:\n  threads: \"{}\"\n", text)), "") << text;
  }
  for (const char* text : {"100", "1e2", "100.0"}) {
    const auto settings = Load(fmt::format("replay:\n  threads: {}\n", text));
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(settings->replay_threads, 100u);
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
  const auto folder = LoadSettings(folder_ / "");
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
  EXPECT_EQ(ErrorOf("learner:\n  options:\n    l1: -1\n"),
            "3: learner adaptive-ftrl: l1: expected a number from 0 to 1000000, found \"-1\"");
  EXPECT_THAT(ErrorOf("learner:\n  options:\n    l1: [1]\n"),
              StartsWith("3: learner.options.l1: expected one value"));
}

TEST_F(SettingsFile, ErrorsNameTheLineOfTheValueNotOfItsSection) {
  EXPECT_THAT(ErrorOf("learner:\n  options:\n    alpha: 0.3\n    l1: -1\n"),
              StartsWith("4: learner adaptive-ftrl: l1: "));
  EXPECT_THAT(ErrorOf("learner:\n  options:\n    alpha: 0.3\n    zz: 1\n"),
              StartsWith("4: learner adaptive-ftrl: unknown option zz=1"));
  EXPECT_THAT(
      ErrorOf("learner:\n  name: lazy-sgd\n  options:\n    bias: on\n    l2: 0.3\n    learning_rate: 50\n"),
      StartsWith("5: learner lazy-sgd: l2: expected learning_rate·l2 below 1, found 15"));
  EXPECT_THAT(ErrorOf("features:\n  ignore_headers:\n    - X-A\n    - \"a b\"\n"),
              StartsWith("4: features.ignore_headers: expected a list"));
}

TEST_F(SettingsFile, ModelNamesAreNames) {
  for (const char* name : {"../x", "a/b", ".", "..", ".hidden"}) {
    EXPECT_THAT(ErrorOf(fmt::format("store:\n  model: {}\n", name)),
                StartsWith("2: store.model: expected a name"))
        << name;
  }
}

TEST_F(SettingsFile, MarksAreHeadersAndTags) {
  for (const char* name : {"Subject", "X-", "X-Spam Flag", "\"X-Verdict:\"", "\"X-a\\nTo\"", "X-é"}) {
    EXPECT_THAT(ErrorOf(fmt::format("mark:\n  header: {}\n", name)),
                StartsWith("2: mark.header: expected X- and letters"))
        << name;
  }
  EXPECT_EQ(ErrorOf("mark:\n  header: x-verdict-1\n"), "");
  EXPECT_EQ(ErrorOf("mark:\n  header: X-spam-flag\n"), "");
  EXPECT_EQ(ErrorOf("mark:\n  spam_headers: true\n  header: X-spam-flag\n"),
            "3: mark.header: mark.spam_headers writes X-Spam-Flag too");
  for (const char* tag : {"\" [SPAM]\"", "\"a\\nb\"", "\"é\"", "\"[SPAM] \""}) {
    EXPECT_THAT(ErrorOf(fmt::format("mark:\n  subject_tag: {}\n", tag)),
                StartsWith("2: mark.subject_tag: expected at most 64 printable"))
        << tag;
  }
  EXPECT_EQ(ErrorOf("mark:\n  subject_tag: \"* spam *\"\n"), "");
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

}  // namespace
}  // namespace thresher::pipeline

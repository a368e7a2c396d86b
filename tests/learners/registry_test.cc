#include "learners/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/learners/file_text.h"

namespace thresher::learners {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string ErrorOf(std::string_view learner, const OptionValues& options) {
  const auto made = MakeLearner(learner, options);
  return made ? "no error" : made.error();
}

// Every learner's file names it; a file that is not registered, or a learner without a file, shows here.
TEST(Registry, AgreesWithTheFiles) {
  std::set<std::string> in_files;
  for (const auto& entry : std::filesystem::directory_iterator(THRESHER_SOURCE_DIR "/learners")) {
    const auto name = NameInFile(entry.path());
    const bool is_learner = FileText(entry.path()).find("\nLearnerSpec ") != std::string::npos;
    EXPECT_EQ(name.has_value(), is_learner && entry.path().extension() == ".cc") << entry.path();
    if (name) in_files.insert(*name);
  }
  std::set<std::string> registered;
  for (const LearnerSpec& spec : AllLearners()) registered.emplace(spec.name);
  EXPECT_EQ(in_files, registered);
  EXPECT_EQ(registered.size(), AllLearners().size());
}

TEST(Registry, EverySpecIsFilledInAndItsDefaultsAreValid) {
  for (const LearnerSpec& spec : AllLearners()) {
    SCOPED_TRACE(spec.name);
    EXPECT_FALSE(spec.summary.empty() || spec.source.empty() || spec.cost.empty());
    const auto learner = MakeLearner(spec.name, {});
    ASSERT_TRUE(learner.has_value()) << learner.error();
    EXPECT_EQ((*learner)->Name(), spec.name);
    EXPECT_EQ((*learner)->RowBytes() % 8, 0U);
    EXPECT_EQ(FindLearner(spec.name), &spec);
    for (const OptionSpec& option : spec.options) {
      EXPECT_FALSE(option.help.empty()) << option.name;
      const std::string text = (*learner)->OptionsText();
      const std::string name(option.name);
      const std::string value(option.default_value);
      if (text.find(name + "=") != std::string::npos) {
        EXPECT_THAT(text, HasSubstr(name + "=" + value)) << "the default is not in its canonical form";
      } else {  // an option that models of older releases lack
        EXPECT_EQ((*MakeLearner(spec.name, {{name, value}}))->OptionsText(), text) << name;
      }
    }
  }
}

// docs/learner-options.md, which the program writes, describes the options.
TEST(Registry, EveryLearnerIsDocumented) {
  const std::string text = FileText(THRESHER_SOURCE_DIR "/docs/learners.md");
  for (const LearnerSpec& spec : AllLearners())
    EXPECT_THAT(text, HasSubstr("\n## " + std::string(spec.name) + "\n"));
}

TEST(Registry, EqualOptionsAreEqualTexts) {
  const auto one = MakeLearner("lazy-sgd", {{"l1", "0.00001"}, {"l2", "-0"}});
  const auto two = MakeLearner("lazy-sgd", {{"l1", "1e-5"}, {"l2", "0.0"}});
  EXPECT_EQ((*one)->OptionsText(), (*two)->OptionsText());
  EXPECT_THAT((*one)->OptionsText(), AllOf(HasSubstr("l1=1e-05"), HasSubstr("l2=0 ")));
}

TEST(Registry, ErrorsNameOptionValueAndExpectation) {
  EXPECT_THAT(ErrorOf("lazy-sdg", {}), AllOf(HasSubstr("lazy-sdg"), HasSubstr("lazy-sgd")));
  EXPECT_THAT(ErrorOf("lazy-sgd", {{"l3", "1"}}), AllOf(HasSubstr("l3=1"), HasSubstr("l1, l2")));
  EXPECT_THAT(
      ErrorOf("lazy-sgd", {{"loss", "log"}}),
      AllOf(HasSubstr("loss: expected one of "), HasSubstr("found \"log\""), HasSubstr("logistic, squared")));
  EXPECT_THAT(ErrorOf("lazy-sgd", {{"l1", "-1"}}),
              HasSubstr("l1: expected a number from 0 to 1000000, found \"-1\""));
  EXPECT_THAT(ErrorOf("lazy-sgd", {{"learning_rate", "0"}}),
              AllOf(HasSubstr("learning_rate"), HasSubstr("above 0")));
  EXPECT_THAT(ErrorOf("ftrl", {{"forget_every", "1.5"}}), HasSubstr("a whole number"));
  EXPECT_THAT(ErrorOf("lazy-sgd", {{"learning_rate", "2"}, {"l2", "0.5"}}),
              AllOf(HasSubstr("l2: expected"), HasSubstr("below 1")));
  for (const auto* bad : {"", " 1", "1 ", "1e", "nan", "inf", "1e999", "0x1", "1,5", "one"}) {
    EXPECT_THAT(ErrorOf("lazy-sgd", {{"l1", bad}}),
                AllOf(HasSubstr("l1: expected a number"), Not(HasSubstr("\n"))))
        << bad;
  }
}

// A model that was made with such options can still be opened.
TEST(Registry, OptionsWithWhichANewModelLearnsNothingAreWrong) {
  for (const LearnerSpec& spec : AllLearners()) {
    for (const std::string loss : {"logistic", "squared", "hinge"}) {
      const std::string most = loss == "logistic" ? "0.5" : "1";
      EXPECT_FALSE(WrongOption(spec.name, {{"loss", loss}, {"min_gradient", most}})) << spec.name;
      const OptionValues more = {{"loss", loss}, {"min_gradient", loss == "logistic" ? "0.51" : "1.01"}};
      const auto wrong = WrongOption(spec.name, more);
      ASSERT_TRUE(wrong) << spec.name << ' ' << loss;
      EXPECT_THAT(wrong->what, HasSubstr("at most " + most + ","));
      EXPECT_TRUE(MakeLearner(spec.name, more));
    }
  }
}

TEST(Registry, RestoringTakesOnlyCompleteTexts) {
  const std::string text = (*MakeLearner("lazy-sgd", {}))->OptionsText();
  EXPECT_TRUE(RestoreLearner("lazy-sgd", text).has_value());
  for (const std::string& bad : {std::string(), text + " l1=0", text + " ", " " + text, text + " more=1",
                                 text.substr(0, text.rfind(' ')), std::string("l1"), "x" + text}) {
    const auto restored = RestoreLearner("lazy-sgd", bad);
    ASSERT_FALSE(restored.has_value()) << bad;
    EXPECT_THAT(restored.error(), HasSubstr("lazy-sgd"));
  }
  EXPECT_FALSE(RestoreLearner("no-such", text).has_value());
}

}  // namespace
}  // namespace thresher::learners

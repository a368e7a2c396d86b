// Replays without a stream (cross-validation, a training part), grids of replays, and the fusion of their
// results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/trec/small_corpus.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ReplayVariants : public testing::Test {
 protected:
  std::string WriteCorpus(int pairs) const { return WriteSmallCorpus(directory_, pairs); }

  TestDirectory directory_;
};

// Of messages that are only classified, each fold reads others.
TEST_F(ReplayVariants, CrossValidationSaysOnceWhatCannotBeRead) {
  WriteCorpus(6);
  std::string index = "Spam ../data/missing\nham ../data/missing-too\n";
  for (int i = 0; i < 6; ++i) index += fmt::format("spam ../data/s{0}\nham ../data/h{0}\n", i);
  const std::string path = directory_.Write("full/missing", index);
  const Ran ran = RunThresher({"replay", path, "--folds", "3", "--json"});
  EXPECT_EQ(ran.exit_code, kNoInput);
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("unreadable"), 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("missing:"), HasSubstr("missing-too:")));
}

// One line is a sum over the folds, the other a mean.
TEST_F(ReplayVariants, CrossValidationSaysWhatIsOfAllModels) {
  const std::string index = WriteCorpus(6);
  EXPECT_THAT(RunThresher({"replay", index, "--folds", "3"}).out,
              AllOf(HasSubstr(" of 24 taught messages in all 3 models (they were sure of the others)\n"),
                    HasSubstr("\nmodel            mean of 3: ")));
  EXPECT_THAT(RunThresher({"replay", index}).out,
              HasSubstr(" of 12 taught messages (the model was sure of the others)\n"));
}

TEST_F(ReplayVariants, AModelIsNamedWithItsStore) {
  WriteCorpus(2);
  const std::string path = directory_.Write("full/index", "spam ../data/s0\nham ../data/h0\n");
  EXPECT_EQ(RunThresher({"replay", path, "--model", "m2"}).exit_code, kUsage);
}

TEST_F(ReplayVariants, AModelThatCannotBeReadIsNotTakenForNone) {
  const std::string index = WriteCorpus(2);
  std::filesystem::create_directories(directory_.path() / "store" / "default");
  std::filesystem::create_directory_symlink("db", directory_.path() / "store" / "default" / "db");
  const Ran ran = RunThresher({"replay", index, "--store", directory_ / "store"});
  EXPECT_EQ(ran.exit_code, kIo);
  EXPECT_THAT(ran.err, HasSubstr("cannot read "));
}

TEST_F(ReplayVariants, CrossValidation) {
  WriteCorpus(40);
  std::string index;
  std::string folds[3];
  for (int i = 0; i < 40; ++i) index += fmt::format("spam ../data/s{0}\nham ../data/h{0}\n", i);
  for (int fold = 0; fold < 3; ++fold) {
    for (int i = 0; i < 40; ++i) {
      if (i % 3 != fold) folds[fold] += fmt::format("SPAM ../data/s{0}\nHAM ../data/h{0}\n", i);
    }
    for (int i = fold; i < 40; i += 3) folds[fold] += fmt::format("Spam ../data/s{0}\nHam ../data/h{0}\n", i);
  }
  std::string expected;
  for (const std::string& fold : folds)
    expected += RunThresher({"replay", directory_.Write("full/fold", fold), "--out", "-"}).out;
  const std::string whole = directory_.Write("full/whole", index);
  EXPECT_EQ(RunThresher({"replay", whole, "--folds", "3", "--out", "-"}).out, expected);

  const Ran ran = RunThresher({"replay", whole, "--folds", "3", "--shuffle", "5", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("classified"), 80);
  EXPECT_EQ(json.at("taught"), 160);
  EXPECT_EQ(json.at("split"), (nlohmann::json{{"folds", 3}, {"shuffle", 5}}));
  EXPECT_TRUE(json.at("learning_curve").empty());
  EXPECT_GT(json.at("nonzeros"), 0);
  EXPECT_EQ(RunThresher({"replay", whole, "--folds", "1"}).exit_code, 64);
  const Ran absurd = RunThresher({"replay", whole, "--folds", "81"});
  EXPECT_EQ(absurd.exit_code, 64);
  EXPECT_THAT(absurd.err, HasSubstr("has 80 messages to classify"));
  EXPECT_EQ(RunThresher({"replay", whole, "--folds", "3", "--store", directory_ / "s"}).exit_code, 64);
  EXPECT_EQ(RunThresher({"replay", whole, "--folds", "3", "--train-first", "9"}).exit_code, 64);
}

TEST_F(ReplayVariants, TrainFirst) {
  const std::string index = WriteCorpus(20);
  for (const char* first : {"30", "0.75"}) {
    const auto json =
        nlohmann::json::parse(RunThresher({"replay", index, "--train-first", first, "--json"}).out);
    EXPECT_EQ(json.at("taught"), 30);
    EXPECT_EQ(json.at("classified"), 10);
  }
  EXPECT_THAT(RunThresher({"replay", index, "--train-first", "30"}).out,
              HasSubstr("\nsplit   train-first=30\n"));
  for (const char* wrong : {"0", "-1", "1.5", "nan", "x"})
    EXPECT_EQ(RunThresher({"replay", index, "--train-first", wrong}).exit_code, 64) << wrong;
}

// Messages without feedback, or before it comes, are taught under their confident verdicts.
TEST_F(ReplayVariants, SelfTraining) {
  const std::string index = WriteCorpus(60);
  const auto replay = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"replay", index, "--json", "--seed", "3"});
    const Ran ran = RunThresher(flags);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  };
  const auto partial = replay({"--share", "0.5", "--self-train", "0.9"});
  EXPECT_GT(partial.at("self_taught"), 0);
  EXPECT_LT(partial.at("self_taught"), 60);
  EXPECT_EQ(partial.at("self_wrong"), 0);
  EXPECT_EQ(partial.at("stress").at("self-train"), 0.9);
  EXPECT_EQ(partial.at("taught"), replay({"--share", "0.5"}).at("taught"));
  EXPECT_EQ(replay({"--share", "0.5"}).at("self_taught"), 0);
  EXPECT_EQ(replay({"--self-train", "0.9"}).at("self_taught"), 0) << "all get feedback";
  const auto late = replay({"--delay", "10", "--self-train", "0.9"});
  EXPECT_GT(late.at("self_taught"), 0);
  EXPECT_GT(late.at("taught"), 100);
  EXPECT_EQ(RunThresher({"replay", index, "--self-train", "0.4"}).exit_code, 64);
}

TEST_F(ReplayVariants, Grid) {
  const std::string index = WriteCorpus(30);
  const std::vector<std::string> vary = {"--vary", "learner.options.l1=0.0001,0.1", "--vary",
                                         "learner.options.alpha=0.5,1"};
  std::vector<std::string> words = {"grid", index, "--json"};
  words.insert(words.end(), vary.begin(), vary.end());
  const Ran ran = RunThresher(words);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto points = nlohmann::json::parse(ran.out).at("points");
  ASSERT_EQ(points.size(), 4U);
  for (const auto& point : points) {
    std::vector<std::string> replay = {"replay", index, "--json"};
    for (const auto& setting : point.at("settings")) replay.insert(replay.end(), {"--set", setting});
    const auto alone = nlohmann::json::parse(RunThresher(replay).out);
    EXPECT_EQ(point.at("nonzeros"), alone.at("nonzeros"));
    EXPECT_EQ(point.at("roc_area_above_percent"),
              alone.at("figures").at("roc_area_above_percent").at("value"));
  }
  EXPECT_TRUE(points.at(0).at("on_frontier"));
  EXPECT_THAT(RunThresher({"grid", index, "--vary", "learner.options.l1=0.1", "--folds", "2"}).out,
              HasSubstr("  learner.options.l1=0.1\n* no other"));
  EXPECT_EQ(RunThresher({"grid", index, "--vary", "learner.options.l1=0.1,x"}).exit_code, 78);
  EXPECT_EQ(RunThresher({"grid", index}).exit_code, 64);
}

// A page of figures that are not defined, or are those of chance, does not say why they are.
TEST_F(ReplayVariants, AnIndexThatClassifiesOrTeachesNothingIsPointedOut) {
  const std::string index = WriteCorpus(2);
  const std::string taught = directory_.Write("full/taught", "SPAM ../data/s0\nHAM ../data/h0\n");
  const std::string judged = directory_.Write("full/judged", "Spam ../data/s0\nHam ../data/h0\n");
  const std::vector<std::string> vary = {"--vary", "learner.options.l1=0.1"};
  struct Case {
    std::vector<std::string> words;
    std::string said;
  };
  for (const Case& one :
       std::vector<Case>{{{"replay", taught}, taught + ": no line is classified: "},
                         {{"replay", index, "--train-first", "4"}, index + ": no line is classified: "},
                         {{"replay", judged}, judged + ": nothing is taught: "},
                         {{"replay", index, "--share", "0"}, index + ": nothing is taught: "},
                         {{"grid", taught, vary[0], vary[1]}, taught + ": no line is classified: "},
                         {{"grid", judged, vary[0], vary[1]}, judged + ": nothing is taught: "},
                         {{"replay", index, "--folds", "2"}, ""}}) {
    const Ran ran = RunThresher(one.words);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NE(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), one.said.empty() ? 0 : 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(one.said));
  }
}

TEST_F(ReplayVariants, ResultsAreFused) {
  const std::string index = WriteCorpus(40);
  const std::string one = directory_ / "one";
  const std::string two = directory_ / "two";
  const std::string fused = directory_ / "fused";
  ASSERT_EQ(RunThresher({"replay", index, "--out", one}).exit_code, 0);
  ASSERT_EQ(RunThresher({"replay", index, "--learner", "lazy-sgd", "--out", two}).exit_code, 0);
  for (const char* method : {"average", "stacking"}) {
    const Ran ran = RunThresher({"fuse", one, two, "--method", method, "--out", fused});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(RunThresher({"eval", one, fused}).out, HasSubstr("\n80 messages in both\n"));
  }
  const std::string lines = ReadBytes(two);
  const std::string shorter = directory_.Write("shorter", lines.substr(lines.find('\n') + 1));
  const Ran partly = RunThresher({"fuse", one, shorter});
  EXPECT_EQ(partly.exit_code, 65);
  EXPECT_THAT(partly.err, HasSubstr("1 message only in " + one + "\n"));
  EXPECT_EQ(std::count(partly.out.begin(), partly.out.end(), '\n'), 79);
  EXPECT_EQ(RunThresher({"fuse", one}).exit_code, 64);
  EXPECT_EQ(RunThresher({"fuse", one, directory_ / "nothing"}).exit_code, 66);
}

}  // namespace
}  // namespace thresher::pipeline

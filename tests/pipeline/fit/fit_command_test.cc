// thresher fit, as a user runs it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class FitCommandTest : public testing::Test {
 protected:
  Ran Thresher(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", directory_ / "store"});
    return RunThresher(arguments, input);
  }
  nlohmann::json Fit(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "fit");
    arguments.emplace_back("--json");
    const Ran ran = Thresher(arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  }
  void Teach(int messages) const {
    for (int i = 0; i < messages; ++i) {
      Thresher({"learn", "--spam"}, SpamMessage(i));
      Thresher({"learn", "--ham"}, HamMessage(i));
    }
  }

  TestDirectory directory_;
};

constexpr const char* kSmall = "+1 1:1 3:0.5\n-1 2:1 3:0.25\n+1 1:0.5\n-1 2:2 4:1\n";

TEST_F(FitCommandTest, FilesInEitherFormGiveTheSame) {
  const std::string libsvm = directory_.Write("a.libsvm", kSmall);
  const std::string vw =
      directory_.Write("a.vw", "1 'a |f 1:1 3:0.5\n-1 'b |f 2:1 3:0.25\n1 'c |f 1:0.5\n-1 'd |f 2:2 4:1\n");
  const auto one = Fit({libsvm});
  const auto other = Fit({vw});
  EXPECT_EQ(one.at("points").back().at("objective"), other.at("points").back().at("objective"));
  EXPECT_EQ(one.at("examples"), 4);
  EXPECT_EQ(one.at("features"), 4);
  EXPECT_EQ(one.at("entries"), 7);
  EXPECT_TRUE(one.at("reached"));
}

// So that a full disk or a kill leaves what was there: nothing is written into it.
TEST_F(FitCommandTest, WeightsAndPlotsTakeThePlaceOfWhatWasThere) {
  const std::string input = directory_.Write("a", kSmall);
  const std::vector<std::string> weights = {"fit", input, "--weights"};
  const std::vector<std::string> plot = {"fit", input,        "--path", "2",     "--solver",
                                         "scd", "--held-out", "0",      "--plot"};
  const std::vector<std::string> regret = {"regret", input, "--plot"};
  for (std::vector<std::string> words : {weights, plot, regret}) {
    const std::string file = directory_.Write("file", "before");
    std::filesystem::create_hard_link(file, directory_ / "twin");
    words.push_back(file);
    const Ran ran = Thresher(words);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NE(ReadBytes(file), "before");
    EXPECT_EQ(ReadBytes(directory_ / "twin"), "before");
    std::filesystem::remove(directory_ / "twin");
    EXPECT_FALSE(std::filesystem::exists(file + ".new"));
  }
  EXPECT_EQ(Thresher({"fit", directory_ / "none", "--weights", directory_ / "new"}).exit_code, kNoInput);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "new"));
}

// What several processes would not heed.
TEST_F(FitCommandTest, SeveralProcessesTakeNoSettings) {
  const std::string input = directory_.Write("a", kSmall);
  for (const std::string flag : {"--threads", "--wait", "--store", "--model", "--preset", "--set"}) {
    const Ran ran =
        RunThresher({"fit", "--distributed", input, flag, flag == "--set" ? "store.model=a" : "3"});
    EXPECT_EQ(ran.exit_code, kUsage) << flag;
    EXPECT_THAT(ran.err, AllOf(HasSubstr(" excludes "), HasSubstr("--distributed"), HasSubstr(flag)));
  }
}

TEST_F(FitCommandTest, TheTableHasEveryReport) {
  const Ran ran = Thresher({"fit", directory_.Write("a", kSmall), "--solver", "scd", "--option", "l1=0.1"});
  EXPECT_THAT(ran.out,
              AllOf(StartsWith("scd loss=logistic l1=0.1 "), HasSubstr("4 examples, 4 features, 7 non-zeros"),
                    HasSubstr("epochs    passes  data accesses"), HasSubstr("stopped at a gap")));
}

TEST_F(FitCommandTest, ModelAndItsExportGiveTheSame) {
  Teach(12);
  const std::string exported = directory_ / "examples";
  Thresher({"export", "--examples", "vw", "--out", exported});
  const auto of_model = Fit({"--gap", "1e-6"});
  const auto of_export = Fit({exported, "--gap", "1e-6"});
  EXPECT_EQ(of_model.at("examples"), 24);
  EXPECT_EQ(of_model.at("points").back().at("objective"), of_export.at("points").back().at("objective"));
  EXPECT_EQ(of_model.at("points").back().at("nonzeros"), of_export.at("points").back().at("nonzeros"));
}

TEST_F(FitCommandTest, ACorrectionTakesThePlaceOfWhatItCorrects) {
  Teach(3);
  Thresher({"learn", "--ham"}, SpamMessage(0));
  EXPECT_EQ(Fit({}).at("examples"), 6);
}

TEST_F(FitCommandTest, TrecIndexesAreReadAsMail) {
  std::string index;
  for (int i = 0; i < 5; ++i) {
    directory_.Write("data/s" + std::to_string(i), SpamMessage(i));
    directory_.Write("data/h" + std::to_string(i), HamMessage(i));
    index += "spam data/s" + std::to_string(i) + "\nham data/h" + std::to_string(i) + "\n";
  }
  const std::string path = directory_.Write("index", index);
  const Ran regret = Thresher({"regret", path});
  EXPECT_EQ(regret.exit_code, 0) << regret.err;
  EXPECT_THAT(regret.out, HasSubstr("ftrl"));
  const auto fitted = Fit({path});
  EXPECT_EQ(fitted.at("examples"), 10);
  EXPECT_GT(fitted.at("features"), 50);
  // What can be read only once, or comes behind other examples.
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"fit", "-"}, {"fit", directory_.Write("a", kSmall), path}}) {
    const Ran refused = Thresher(words, index);
    EXPECT_EQ(refused.exit_code, kData);
    EXPECT_THAT(refused.err, AllOf(HasSubstr(":1: the label is \"spam\"; expected a number"),
                                   HasSubstr("a TREC index must be a regular file")));
  }
}

TEST_F(FitCommandTest, RegretSaysWhatItIsMeasuredAgainst) {
  const std::string file = directory_.Write("a", "1 1:1 2:1\n-1 1:-1\n-1 2:2\n1 1:3\n");
  EXPECT_THAT(Thresher({"regret", file}).out, Not(HasSubstr("its fit stopped")));
  const std::string slow = directory_.Write("b", "1 1:1.6e9 2:1\n-1 1:1.7e9\n1 1:1.65e9 2:1\n-1 1:1.64e9\n");
  EXPECT_THAT(Thresher({"regret", slow}).out,
              HasSubstr("its fit stopped after 1000 epochs, before --gap was reached"));
  const Ran refused = Thresher({"regret", file, "--learner", "lazy-sgd min_gradient=0.6"});
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_THAT(refused.err, HasSubstr("a new model would learn nothing"));
}

TEST_F(FitCommandTest, OneClassIsNoneToChooseFrom) {
  const Ran ran = Thresher({"fit", directory_.Write("a", "3 1:1\n3 2:1\n"), "--solver", "multiclass-sdca"});
  EXPECT_EQ(ran.exit_code, kData);
  EXPECT_THAT(ran.err, HasSubstr("1 class(es); expected at least two\n"));
}

TEST_F(FitCommandTest, OfATrecIndexWhatItTrainsIsFitted) {
  std::string index;
  for (int i = 0; i < 6; ++i) {
    directory_.Write("data/s" + std::to_string(i), SpamMessage(i));
    directory_.Write("data/h" + std::to_string(i), HamMessage(i));
  }
  for (int i = 0; i < 2; ++i) index += fmt::format("SPAM data/s{0}\nHAM data/h{0}\n", i);
  for (int i = 2; i < 4; ++i) index += fmt::format("spam data/s{0}\nham data/h{0}\n", i);
  const std::string trained = directory_.Write("trained", index);
  for (int i = 4; i < 6; ++i) index += fmt::format("Spam data/s{0}\nHam data/h{0}\n", i);
  const std::string all = directory_.Write("all", index + "Ham data/h0\n");
  const auto fitted = Fit({all});
  EXPECT_EQ(fitted.at("examples"), 8);
  EXPECT_EQ(fitted.at("points").back().at("objective"), Fit({trained}).at("points").back().at("objective"));
  EXPECT_EQ(Thresher({"regret", all}).out, Thresher({"regret", trained}).out);
}

TEST_F(FitCommandTest, AMessageThatCannotBeReadIsNamedAndTheOthersAreFitted) {
  directory_.Write("data/s", SpamMessage(1));
  directory_.Write("data/h", HamMessage(1));
  const std::string index = directory_.Write("index", "spam data/s\nham data/missing\nham data/h\n");
  for (const char* const command : {"fit", "regret"}) {
    const Ran ran = Thresher({command, index});
    EXPECT_EQ(ran.exit_code, kNoInput) << command;
    EXPECT_THAT(ran.err, HasSubstr("index:2: ")) << command;
    EXPECT_NE(ran.out, "") << command;
  }
}

TEST_F(FitCommandTest, WeightsAreWrittenWithTheirNumbers) {
  const std::string weights = directory_ / "weights";
  Fit({directory_.Write("a", kSmall), "--option", "loss=squared", "--weights", weights, "--gap", "1e-9"});
  std::istringstream lines(ReadBytes(weights));
  uint64_t number = 0;
  double weight = 0;
  ASSERT_TRUE(lines >> number >> weight);
  EXPECT_EQ(number, 1U);
  EXPECT_GT(weight, 0);
  ASSERT_TRUE(lines >> number >> weight);
}

TEST_F(FitCommandTest, PipesAreReadWhole) {
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += i % 2 == 0 ? "+1 1:1 3:0.5\n" : "-1 2:1 3:0.25\n";
  for (const char* name : {"-", "/dev/stdin"}) {
    const Ran ran = Thresher({"fit", name}, lines);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("20000 examples"));
  }
}

TEST_F(FitCommandTest, OutputsThatCannotBeMadeAreSaidBeforeFitting) {
  const std::string good = directory_.Write("good", kSmall);
  const Ran ran = Thresher({"fit", good, "--weights", directory_ / "none/weights"});
  EXPECT_EQ(ran.exit_code, kCantCreate);
  EXPECT_EQ(ran.out, "");
  const Ran regret = Thresher({"regret", good, "--plot", directory_ / "none/plot"});
  EXPECT_EQ(regret.exit_code, kCantCreate);
  EXPECT_EQ(regret.out, "");
}

TEST_F(FitCommandTest, AnOutputThatCannotBeWrittenIsSaid) {
  const std::string good = directory_.Write("good", kSmall);
  EXPECT_EQ(Thresher({"fit", good, "--weights", "/dev/full"}).exit_code, kIo);
  // tests/pipeline/fit/solver_state_test.cc has a state that cannot be synced.
  std::filesystem::create_symlink("/dev/full", directory_ / "state.new");
  EXPECT_EQ(Thresher({"fit", good, "--resume", directory_ / "state"}).exit_code, kCantCreate);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "state"));
}

TEST_F(FitCommandTest, APathWithNothingHeldOutHasNoTest) {
  const std::string good = directory_.Write("good", kSmall);
  const auto path = Fit({good, "--solver", "scd", "--path", "2", "--held-out", "0", "--option", "l1=0.01"});
  EXPECT_FALSE(path.back().contains("test_error"));
  EXPECT_TRUE(path.back().contains("train_error"));
  const std::string numbers = directory_.Write("numbers", "3 1:1\n-1 2:1\n");
  EXPECT_EQ(Thresher({"fit", numbers, "--solver", "scd", "--path", "2", "--option", "loss=squared",
                      "--option", "l1=0.01"})
                .exit_code,
            kData);
  const auto tested =
      Fit({good, "--solver", "scd", "--path", "2", "--held-out", "0.5", "--option", "l1=0.01"});
  EXPECT_TRUE(tested.back().contains("test_error"));
}

TEST_F(FitCommandTest, APathIsPlotted) {
  const std::string good = directory_.Write("good", kSmall);
  Fit({good, "--solver", "scd", "--path", "2", "--held-out", "0.5", "--option", "l1=0.01", "--plot",
       directory_ / "plot"});
  EXPECT_THAT(ReadBytes(directory_.path() / "plot"), HasSubstr("</svg>"));
  EXPECT_EQ(Thresher({"fit", good, "--plot", directory_ / "plot"}).exit_code, kUsage);  // --plot needs --path
}

TEST_F(FitCommandTest, WhatIsWrongIsSaidWithItsLine) {
  const std::string bad = directory_.Write("bad", std::string(kSmall) + "+1 1:nan\n");
  const Ran ran = Thresher({"fit", bad});
  EXPECT_EQ(ran.exit_code, kData);
  EXPECT_THAT(ran.err,
              HasSubstr("bad:5: the value of feature 1 is \"nan\"; expected a number of at most 3.4e38"));
  EXPECT_EQ(Thresher({"fit", directory_ / "none"}).exit_code, kNoInput);
  EXPECT_EQ(Thresher({"fit"}).exit_code, kNoInput);  // no model
  const std::string good = directory_.Write("good", kSmall);
  EXPECT_EQ(Thresher({"fit", good, "--solver", "sdac"}).exit_code, kConfig);
  EXPECT_EQ(Thresher({"fit", good, "--option", "l2=0"}).exit_code, kConfig);
  EXPECT_EQ(Thresher({"fit", good, "--option", "l2"}).exit_code, kUsage);
  for (const char* number : {"nan", "-1", "2", "x"}) {
    EXPECT_EQ(Thresher({"fit", good, "--gap", number}).exit_code, kUsage) << number;
    EXPECT_EQ(Thresher({"regret", good, "--gap", number}).exit_code, kUsage) << number;
    EXPECT_EQ(Thresher({"fit", good, "--path", "2", "--held-out", number}).exit_code, kUsage) << number;
  }
  EXPECT_EQ(Thresher({"fit", good, "--held-out", "0.1"}).exit_code, kUsage);  // --held-out needs --path
  EXPECT_EQ(Thresher({"fit", directory_.Write("empty", "")}).exit_code, kData);
  const Ran labels = Thresher({"fit", directory_.Write("labels", "3 1:1\n")});
  EXPECT_EQ(labels.exit_code, kData);
  EXPECT_THAT(labels.err, HasSubstr("example 1 has the label 3; this loss expects 1 or -1"));
}

TEST_F(FitCommandTest, OneClassAloneIsFitted) {
  EXPECT_TRUE(Fit({directory_.Write("a", "+1 1:1\n+1 2:1\n")}).at("reached"));
}

TEST_F(FitCommandTest, KilledItGoesOnFromItsLastRow) {
  const std::string file = directory_.Write("a", kSmall);
  const std::string state = directory_ / "state";
  RunningThresher fit(
      {"fit", file, "--solver", "sgd", "--gap", "0", "--epochs", "4000000000", "--resume", state});
  while (!std::filesystem::exists(state)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  fit.Kill();
  const auto rest = Fit({file, "--solver", "sgd", "--gap", "0", "--epochs", "0", "--resume", state});
  const auto epochs = rest.at("points").front().at("epochs").get<uint64_t>();
  EXPECT_GE(epochs, 1U);
  const auto whole = Fit({file, "--solver", "sgd", "--gap", "0", "--epochs", std::to_string(epochs)});
  EXPECT_EQ(rest.at("points").back().at("objective"), whole.at("points").back().at("objective"));
}

TEST_F(FitCommandTest, ResumesWhereItWas) {
  const std::string file = directory_.Write("a", kSmall);
  const std::string state = directory_ / "state";
  const auto whole = Fit({file, "--gap", "0", "--epochs", "6"});
  Fit({file, "--gap", "0", "--epochs", "2", "--resume", state});
  const auto rest = Fit({file, "--gap", "0", "--epochs", "6", "--resume", state});
  EXPECT_EQ(rest.at("points").front().at("epochs"), 2);
  EXPECT_EQ(rest.at("points").back().at("objective"), whole.at("points").back().at("objective"));
}

}  // namespace
}  // namespace thresher::pipeline

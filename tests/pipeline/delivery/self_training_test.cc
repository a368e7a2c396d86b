// `filter --learn`: what is taught by its own verdict, and what is not.
#include "pipeline/model/self_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tests/pipeline/delivery/teach_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kSelfTaught = "\"evidence\":4";

class SelfTrainingTest : public TeachTest {
 protected:
  void SetUp() override {
    directory_.Write("ham", Mailbox(20, HamMessage));
    directory_.Write("spam", Mailbox(20, SpamMessage));
    ASSERT_EQ(Thresher({"learn", "--spam", directory_ / "spam", "--ham", directory_ / "ham"}).exit_code, 0);
  }
  // The message comes out whatever else happens.
  Ran Filter(const std::string& message, std::vector<std::string> flags = {"--learn", "0.6"}) const {
    flags.insert(flags.begin(), "filter");
    Ran ran = Thresher(flags, message);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, AllOf(StartsWith("X-Thresher: "), testing::EndsWith(message)));
    return ran;
  }
  int Taught(const std::string& label) const { return Stats().at(label).get<int>(); }
  std::string Exported(const std::string& store = "store") const {
    return RunThresher({"export", "--store", directory_ / store}).out;
  }
};

TEST(LabelByVerdict, IsThatOfAProbableOne) {
  EXPECT_EQ(LabelByVerdict(Verdict::kSpam, 0.99, 0.9), Label::kSpam);
  EXPECT_EQ(LabelByVerdict(Verdict::kHam, 0.01, 0.9), Label::kHam);
  EXPECT_EQ(LabelByVerdict(Verdict::kSpam, 0.9, 0.9), Label::kSpam);
  EXPECT_EQ(LabelByVerdict(Verdict::kSpam, 0.89, 0.9), std::nullopt);
  EXPECT_EQ(LabelByVerdict(Verdict::kHam, 0.11, 0.9), std::nullopt);
  EXPECT_EQ(LabelByVerdict(Verdict::kSpam, 1, 0), std::nullopt) << "0: none";
  EXPECT_EQ(LabelByVerdict(Verdict::kUnsure, 0.95, 0.9), std::nullopt);
  EXPECT_EQ(LabelByVerdict(Verdict::kUnsure, 0.5, 0.5), std::nullopt);
  EXPECT_EQ(LabelByVerdict(Verdict::kHam, 0.5, 0.5), std::nullopt) << "of a threshold of one half";
  EXPECT_EQ(LabelByVerdict(Verdict::kSpam, 0.5, 0.5), std::nullopt);
}

TEST_F(SelfTrainingTest, TeachesWhatIsProbable) {
  EXPECT_EQ(Filter(SpamMessage(100)).err, "");
  EXPECT_EQ(Taught("spam"), 21);
  EXPECT_EQ(Filter(HamMessage(100)).err, "");
  EXPECT_EQ(Taught("ham"), 21);
  EXPECT_THAT(Exported(), HasSubstr(kSelfTaught));
}

TEST_F(SelfTrainingTest, TeachesNothingElse) {
  Filter(SpamMessage(100), {});
  Filter(SpamMessage(100), {"--learn", "0"});
  Filter(SpamMessage(100), {"--learn", "1"});
  Filter("Subject: x\n\n", {"--learn", "0.999"});
  EXPECT_THAT(Exported(), testing::Not(HasSubstr(kSelfTaught)));
  EXPECT_EQ(Taught("spam"), 20);
  EXPECT_EQ(Taught("ham"), 20);
}

TEST_F(SelfTrainingTest, AVerdictThatIsUnsureTeachesNothing) {
  EXPECT_THAT(Filter(SpamMessage(100), {"--learn", "0.6", "--set", "thresholds.spam=0.9999"}).out,
              HasSubstr("X-Thresher: Unsure, probability=0.9"));
  Filter("Subject: x\n\n", {"--learn", "0.5"});
  // A model that can tell nothing.
  const std::string other = directory_ / "other";
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", other, directory_ / "spam"}).exit_code, 0);
  RunThresher({"filter", "--store", other, "--learn", "0.5"}, SpamMessage(100));
  RunThresher({"filter", "--store", other, "--learn", "0.5", "--set", "thresholds.spam=0.5"},
              SpamMessage(101));
  EXPECT_THAT(Exported() + Exported("other"), testing::Not(HasSubstr(kSelfTaught)));
}

TEST_F(SelfTrainingTest, TheListsAreNoVerdictOfTheModel) {
  const std::string lists = directory_.Write("lists", "block domain pills.example\n");
  EXPECT_THAT(Filter(SpamMessage(100), {"--learn", "0.6", "--set", "lists.file=" + lists}).out,
              HasSubstr("listed=block:domain"));
  EXPECT_EQ(Taught("spam"), 20);
}

TEST_F(SelfTrainingTest, FeedbackCorrectsItForGood) {
  Filter(SpamMessage(100));
  ASSERT_EQ(Taught("spam"), 21);
  const double wrong = Margin(SpamMessage(100));
  EXPECT_THAT(Thresher({"feedback", "--ham", "--id", "<spam100@pills.example>"}).out, HasSubstr("corrected"));
  EXPECT_LT(Margin(SpamMessage(100)), wrong);
  const std::string corrected = Exported();
  // It comes again; a verdict is no correction of a user.
  Filter(SpamMessage(100), {"--learn", "0.5"});
  EXPECT_EQ(Exported(), corrected);
}

TEST_F(SelfTrainingTest, ATaughtMessageStaysAsItIs) {
  Filter(SpamMessage(100));
  const std::string once = Exported();
  Filter(SpamMessage(100));
  Filter(SpamMessage(3));
  EXPECT_EQ(Exported(), once);
}

TEST_F(SelfTrainingTest, RebuildAndImportKeepIt) {
  Filter(SpamMessage(100));
  Filter(HamMessage(100));
  const double margin = Margin(SpamMessage(200));
  const std::string exported = Exported();
  EXPECT_THAT(exported, HasSubstr(kSelfTaught));
  const std::string file = directory_.Write("export", exported);
  const Ran imported = RunThresher({"import", file, "--store", directory_ / "other"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(Exported("other"), HasSubstr(kSelfTaught));
  ASSERT_EQ(Thresher({"rebuild"}).exit_code, 0);
  EXPECT_EQ(Margin(SpamMessage(200)), margin);
  EXPECT_THAT(Exported(), HasSubstr(kSelfTaught));
}

// The writer ends after the mail has come out: if filter waited for it, neither would end.
TEST_F(SelfTrainingTest, AnotherWriterCostsTheLearningOnly) {
  const std::string second = directory_ / "second";
  ASSERT_EQ(::mkfifo(second.c_str(), 0600), 0);
  RunningThresher writer(
      {"learn", "--ham", "--store", directory_ / "store", directory_.Write("first", HamMessage(50)), second});
  while (!ReadBytes(directory_ / "store/default/writer").starts_with(std::to_string(writer.pid()) + "\n"))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Ran ran = Filter(SpamMessage(100), {"--learn", "0.6", "--set", "store.wait_seconds=600", "--set",
                                            "filter.timeout_seconds=600"});
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("Error")));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("not taught"), HasSubstr(std::to_string(writer.pid()))));
  std::ofstream(second) << HamMessage(51);
  EXPECT_EQ(writer.Finish().exit_code, 0);
  EXPECT_EQ(Taught("spam"), 20);
  // Late feedback finds it in the spool.
  EXPECT_EQ(Thresher({"feedback", "--spam", "--id", "<spam100@pills.example>"}).exit_code, 0);
  EXPECT_EQ(Taught("spam"), 21);
}

TEST_F(SelfTrainingTest, WhatCannotBeMeantIsRefused) {
  EXPECT_THAT(Filter(SpamMessage(100), {"--learn", "0.4"}).out,
              HasSubstr("X-Thresher: Error, filter.self_train=0.4: expected 0 or at least 0.5, found 0.4"));
  EXPECT_EQ(Taught("spam"), 20);
}

}  // namespace
}  // namespace thresher::pipeline

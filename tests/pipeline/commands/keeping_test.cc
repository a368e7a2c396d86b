// Checks and backups beside a process that learns and is killed, and imports that are interrupted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr int kTaughtMessages = 400;

// The learned examples and their order are in an export; their times are not, and are no part of the model.
std::string WithoutTimes(const std::string& exported) {
  std::string text;
  std::istringstream lines(exported);
  for (std::string line; std::getline(lines, line);) {
    const size_t time = line.find(",\"time\":");
    if (time != std::string::npos) line.erase(time, line.find(',', time + 1) - time);
    if (!line.starts_with("{\"rows\"")) text += line + "\n";
  }
  return text;
}

class KeepingTest : public testing::Test {
 protected:
  Ran Run(const std::string& command, const std::vector<std::string>& more = {},
          const std::string& model = "default") const {
    std::vector<std::string> words = {command, "--store", store_, "--model", model};
    words.insert(words.end(), more.begin(), more.end());
    return RunThresher(words);
  }
  static uint64_t ExamplesOf(const Ran& check) {
    return nlohmann::json::parse(check.out).at("last_seq").get<uint64_t>();
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
};

TEST_F(KeepingTest, BackupsBesideALearnerThatIsKilled) {
  directory_.Write("mbox", Mailbox(kTaughtMessages, HamMessage));
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_}, SpamMessage(0)).exit_code, 0);
  // The model that is interrupted, and one that learns without interruption.
  ASSERT_EQ(Run("backup", {store_ + "/reference"}).exit_code, 0);
  ASSERT_EQ(Run("learn", {"--ham", directory_ / "mbox"}, "reference").exit_code, 0);
  const std::string reference = WithoutTimes(Run("export", {}, "reference").out);

  uint64_t before = 0;
  for (int round = 0; round < 5; ++round) {
    SCOPED_TRACE(round);
    RunningThresher learner({"learn", "--ham", "--store", store_, directory_ / "mbox"});
    std::this_thread::sleep_for(std::chrono::milliseconds(60 + 30 * round));
    const std::string name = "backup" + std::to_string(round);
    const Ran live = Run("check", {"--json"});
    EXPECT_EQ(live.exit_code, 0) << live.err << live.out;
    const Ran backup = Run("backup", {store_ + "/" + name});
    EXPECT_EQ(backup.exit_code, 0) << backup.err;
    learner.Kill();
    learner.Finish();
    const Ran check = Run("check", {"--json"}, name);
    ASSERT_EQ(check.exit_code, 0) << check.err << check.out;
    EXPECT_GE(ExamplesOf(check), ExamplesOf(live));
    EXPECT_GE(ExamplesOf(check), before);
    before = ExamplesOf(check);
    // It continues and equals the other model.
    ASSERT_EQ(Run("learn", {"--ham", directory_ / "mbox"}, name).exit_code, 0);
    EXPECT_TRUE(WithoutTimes(Run("export", {}, name).out) == reference);
    EXPECT_EQ(Run("check", {}, name).exit_code, 0);
  }
  EXPECT_EQ(Run("check").exit_code, 0);
}

TEST_F(KeepingTest, ABackupSaysHowManyExamplesItHas) {
  const std::string ham = directory_.Write("mbox", Mailbox(300, HamMessage));
  const std::string spam = directory_.Write("spam", SpamMessage(0));
  ASSERT_EQ(Run("learn", {"--set", "log.keep_bytes=1", "--spam", spam, "--ham", ham}).exit_code, 0);
  const Ran backup = Run("backup", {store_ + "/copy"});
  const nlohmann::json check = nlohmann::json::parse(Run("check", {"--json"}, "copy").out);
  const auto examples = check.at("examples").get<uint64_t>();
  EXPECT_LT(examples, ExamplesOf(Run("check", {"--json"}, "copy")));
  EXPECT_THAT(backup.out, HasSubstr(": " + std::to_string(examples) + " examples;"));
}

TEST_F(KeepingTest, AKilledImportLeavesNoModel) {
  const std::string spam = directory_.Write("spam", Mailbox(15, SpamMessage));
  const std::string ham = directory_.Write("ham", Mailbox(15, HamMessage));
  ASSERT_EQ(RunThresher({"learn", "--store", store_, "--spam", spam, "--ham", ham}).exit_code, 0);
  const std::string exported = Run("export").out;
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  {
    RunningThresher import({"import", "--store", store_, "--model", "copy", pipe});
    std::ofstream out(pipe);
    out << exported.substr(0, exported.size() / 2) << std::flush;
    while (!fs::exists(store_ + "/copy/db.new/CURRENT"))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    import.Kill();
    import.Finish();
  }
  EXPECT_TRUE(fs::exists(store_ + "/copy/db.new"));
  EXPECT_EQ(Run("check", {}, "copy").exit_code, 66);
  EXPECT_EQ(RunThresher({"import", "--store", store_, "--model", "copy"}, exported).exit_code, 0);
  EXPECT_TRUE(Run("export", {}, "copy").out == exported);
  EXPECT_FALSE(fs::exists(store_ + "/copy/db.new"));
  EXPECT_EQ(RunThresher({"import", "--store", store_, "--model", "copy"}, exported).exit_code, 73);
}

// It can be made again.
TEST_F(KeepingTest, ADamagedImageIsSaidAndIsNoError) {
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_}, SpamMessage(0)).exit_code, 0);
  const Ran sound = Run("check");
  EXPECT_EQ(sound.exit_code, 0);
  EXPECT_THAT(sound.out, HasSubstr("nothing is wrong\n"));
  std::ofstream(store_ + "/default/image") << "damaged";
  const Ran damaged = Run("check");
  EXPECT_EQ(damaged.exit_code, 0) << damaged.err;
  EXPECT_THAT(damaged.out, HasSubstr("\nscore image      damaged or of another version; scoring asks"));
  EXPECT_EQ(nlohmann::json::parse(Run("check", {"--json"}).out).at("wrong_in_all"), 0);
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_}, SpamMessage(1)).exit_code, 0);
  EXPECT_THAT(Run("check").out, HasSubstr("\nscore image      equal to the database"));
  EXPECT_EQ(Run("check", {}, "other").exit_code, 66);
}

// Damaged logs: tests/storage/several_logs_test.cc.
TEST_F(KeepingTest, NothingOfASoundLogIsCut) {
  ASSERT_EQ(RunThresher({"learn", "--ham", "--store", store_}, Mailbox(5, HamMessage)).exit_code, 0);
  const std::string before = Run("export").out;
  const Ran cut = Run("check", {"--cut-log"});
  EXPECT_EQ(cut.exit_code, 0) << cut.out;
  EXPECT_THAT(cut.err, HasSubstr("no example is known to be lost; the last one is 5"));
  EXPECT_EQ(Run("export").out, before);
}

}  // namespace
}  // namespace thresher::pipeline

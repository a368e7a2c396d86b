// Commands that teach a model which follows a log, where no daemon is: on a real server of NATS. Shown as
// skipped where nats-server is not installed.
//
// A command keeps what a server does not take within some seconds. So the program runs here only where it
// does not matter how fast the server is; elsewhere the model that commands change is opened with patience.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/commands/model_to_change.h"
#include "tests/pipeline/cluster/nats_server.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class LearnByLogTest : public NatsServerTest {
 protected:
  void SetUp() override {
    NatsServerTest::SetUp();
    if (IsSkipped()) return;
    server_.emplace(directory_ / "server");
  }
  // What the command of this machine prints; `words` without what names model and log.
  Ran Run(const std::string& machine, std::vector<std::string> words, const std::string& input = "") const {
    const std::string store = directory_ / machine;
    for (const std::string& each : {"store.path=" + store, "cluster.log=" + server_->Url(),
                                    "cluster.stream=" + stream_, std::string("cluster.replicas=1")}) {
      words.emplace_back("--set");
      words.push_back(each);
    }
    return RunThresher(words, input);
  }
  // The model of this machine, as commands open it.
  std::unique_ptr<ModelToChange> Open(const std::string& machine) const {
    Settings settings;
    settings.store_path = directory_ / machine;
    settings.cluster = SettingsFor(server_->Url(), stream_);
    auto model = ModelToChange::Open(settings, ModelToChange::IfMissing::kMake);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return std::move(model).value();
  }
  Result<TeachResult> Learn(const std::string& machine, const std::string& message) const {
    const auto model = Open(machine);
    EXPECT_TRUE(model->Finish().has_value());  // delivers what was kept
    auto taught = model->Teach(model->Read(message, tokenizer::Kind::kMail), Label::kSpam, {});
    EXPECT_TRUE(model->Finish().has_value());
    return taught;
  }
  // What is printed when what was taught is forgotten: the program tries as often as the server is too slow
  // for it.
  static Ran Forgotten(const std::function<void()>& teach, const std::function<Ran()>& forget) {
    Ran forgotten;
    for (int tries = 0; tries < 20 && forgotten.exit_code != 0; ++tries) {
      teach();
      forgotten = forget();
    }
    return forgotten;
  }
  std::string ExportOf(const std::string& machine) const {
    const std::filesystem::path file = directory_ / (machine + ".export");
    const Ran ran = RunThresher({"export", "--store", directory_ / machine, "--out", file});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ReadBytes(file);
  }

  std::optional<NatsServer> server_;
  std::string stream_ = "mail";
};

TEST_F(LearnByLogTest, WhatOneMachineIsTaughtAllKnow) {
  EXPECT_EQ(Learn("one", MessageNumber(1)), TeachResult::kNew);
  EXPECT_EQ(Learn("two", MessageNumber(2)), TeachResult::kNew);
  EXPECT_EQ(Learn("two", MessageNumber(1)), TeachResult::kKnown);
  EXPECT_EQ(Learn("one", MessageNumber(2)), TeachResult::kKnown);
  EXPECT_EQ(ExportOf("one"), ExportOf("two"));
  const Ran refused = RunThresher({"learn", "--spam", "--store", directory_ / "one"}, MessageNumber(3));
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_THAT(refused.err, HasSubstr("follows a log that several machines share"));
  // Before it fits.
  const Ran fit = RunThresher({"fit", "--install", "--insist", "--store", directory_ / "one"});
  EXPECT_EQ(fit.exit_code, kConfig);
  EXPECT_EQ(fit.out, "");
  EXPECT_THAT(fit.err,
              AllOf(StartsWith("thresher: " + (directory_ / "one/default") + ": this model follows a log"),
                    Not(HasSubstr("installing"))));
}

TEST_F(LearnByLogTest, WhatTheLogCannotTakeIsDeliveredByTheNextCommand) {
  EXPECT_EQ(Learn("one", MessageNumber(1)), TeachResult::kNew);
  server_->Kill();
  const Ran kept = Run("one", {"learn", "--spam"}, MessageNumber(2));
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("1 kept until the shared log has them"));
  EXPECT_THAT(kept.err, AllOf(StartsWith("thresher: the log 'mail' at "), HasSubstr(server_->Url())));
  const Ran new_one = Run("two", {"learn", "--spam", "--wait", "0"}, MessageNumber(3));
  EXPECT_EQ(new_one.exit_code, kBusy);
  EXPECT_THAT(new_one.err, HasSubstr("cannot connect"));
  server_->Restart();
  EXPECT_EQ(Learn("one", MessageNumber(3)), TeachResult::kNew);
  EXPECT_EQ(Learn("two", MessageNumber(2)), TeachResult::kKnown);
}

// As docs/cluster.md has it: by export and import, under the same name.
TEST_F(LearnByLogTest, WhatWaitsForOneLogIsNotGivenToAnother) {
  EXPECT_EQ(Learn("one", MessageNumber(1)), TeachResult::kNew);
  server_->Kill();
  EXPECT_THAT(Run("one", {"learn", "--spam"}, MessageNumber(2)).out,
              HasSubstr("1 kept until the shared log has them"));
  server_->Restart();
  const std::filesystem::path store = directory_ / "one";
  const std::string outbox = store / "default.outbox";
  const std::string file = directory_ / "file";
  const Ran exported = RunThresher({"export", "--store", store, "--out", file});
  EXPECT_EQ(exported.exit_code, 0);
  EXPECT_THAT(exported.err, HasSubstr(outbox + ": 1 messages wait for the log"));
  std::filesystem::rename(store / "default", directory_ / "aside");
  const Ran imported = RunThresher({"import", "--store", store, file});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr(outbox + ": 1 messages wait for the log"));
  stream_ = "next";
  const Ran refused = Run("one", {"learn", "--spam", "--wait", "600"}, MessageNumber(3));
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_THAT(refused.err, HasSubstr("(1 messages) is for the log of model "));
  // The next one is taught when it is put aside, or, here, delivered.
  std::filesystem::rename(store / "default", directory_ / "next");
  std::filesystem::rename(directory_ / "aside", store / "default");
  stream_ = "mail";
  EXPECT_EQ(Learn("one", MessageNumber(2)), TeachResult::kKnown);
  std::filesystem::rename(store / "default", directory_ / "aside");
  std::filesystem::rename(directory_ / "next", store / "default");
  stream_ = "next";
  EXPECT_EQ(Learn("one", MessageNumber(3)), TeachResult::kNew);
  EXPECT_EQ(RunThresher({"export", "--store", store, "--out", file}).err, "");
}

TEST_F(LearnByLogTest, RepliesAndWhatIsForgottenGoThroughTheLog) {
  EXPECT_EQ(Learn("one", "Message-ID: <a@example>\n\nbuy now\n"), TeachResult::kNew);
  const Ran missing = Run("two", {"feedback", "--ham", "--id", "a@example"});
  EXPECT_EQ(missing.exit_code, kNoInput);
  EXPECT_THAT(missing.err, HasSubstr("begin with `thresher learn`"));
  EXPECT_EQ(Learn("two", "Message-ID: <b@example>\n\nbuy more\n"), TeachResult::kNew);
  EXPECT_EQ(Open("two")->TeachReply({Label::kHam, "a@example", ""}), TeachResult::kCorrected);
  const Ran forgotten =
      Forgotten([&] { static_cast<void>(Learn("one", "Message-ID: <b@example>\n\nbuy more\n")); },
                [&] {
                  return Run("one", {"forget", "--id", "b@example"});
                });
  EXPECT_EQ(forgotten.exit_code, 0) << forgotten.err;
  EXPECT_THAT(forgotten.out, AllOf(HasSubstr("1 example left the log"), HasSubstr("cannot be rebuilt"),
                                   Not(HasSubstr("`thresher rebuild`"))));
  EXPECT_EQ(Open("two")->TaughtKey("b@example", "").error().exit_code, kNoInput);
  EXPECT_EQ(ExportOf("one"), ExportOf("two"));
}

TEST_F(LearnByLogTest, ADaemonOfALogSaysWhatForgettingLeaves) {
  EXPECT_EQ(Learn("one", "Message-ID: <a@example>\n\nbuy now\n"), TeachResult::kNew);
  const std::string store = directory_ / "one";
  RunningThresher daemon({"serve", "--store", store, "--spamd", directory_ / "spamd", "--log", server_->Url(),
                          "--stream", "mail", "--set", "cluster.replicas=1"});
  while (RunThresher({"cluster", "status", "--store", store}).exit_code != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Ran forgotten = Forgotten(
      [&] {
        RunThresher({"learn", "--spam", "--store", store}, "Message-ID: <a@example>\n\nbuy now\n");
      },
      [&] {
        return RunThresher({"forget", "--store", store, "--id", "a@example"});
      });
  EXPECT_EQ(forgotten.exit_code, 0) << forgotten.err;
  EXPECT_THAT(forgotten.out, AllOf(HasSubstr("1 example left the log"), HasSubstr("cannot be rebuilt")));
  ::kill(daemon.pid(), SIGTERM);
  EXPECT_EQ(daemon.Finish().exit_code, 0);
}

TEST_F(LearnByLogTest, AMessageThatNoRecordTakesIsNamedAndTheOthersAreLearned) {
  std::string words = "Subject: long\n\n";
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    for (int letter = 0; letter < 4; ++letter) words += static_cast<char>('a' + random() % 26);
    words += i % 8 == 0 ? '\n' : ' ';
  }
  directory_.Write("spam/1", MessageNumber(1));
  const std::string large = directory_.Write("spam/2", words);
  directory_.Write("spam/3", MessageNumber(3));
  const Ran ran =
      Run("one", {"learn", "--spam", directory_ / "spam", "--wait", "600", "--set", "limits.tokens=1000000"});
  EXPECT_EQ(ran.exit_code, kData);
  EXPECT_THAT(ran.err, StartsWith("thresher: " + large + ": the log would hold "));
  EXPECT_THAT(ran.out, HasSubstr(" 1 not taken\n"));
  EXPECT_TRUE(Open("one")->Finish().has_value());  // now the log has what was kept
  for (const int i : {1, 3}) EXPECT_EQ(Learn("one", MessageNumber(i)), TeachResult::kKnown) << i;
}

TEST_F(LearnByLogTest, WhichOfSeveralModelsIsMeantOnlyADaemonKnows) {
  const Ran refused = Run("one", {"learn", "--spam", "--set", "serve.models=domain"}, MessageNumber(1));
  EXPECT_EQ(refused.exit_code, kBusy);
  EXPECT_THAT(refused.err, HasSubstr("start it"));
}

}  // namespace
}  // namespace thresher::pipeline

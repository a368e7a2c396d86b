// Commands that teach a model which follows a log, where no daemon is: on a real server of NATS. Shown as
// skipped where nats-server is not installed.
//
// A command keeps what a server does not take within some seconds. So the program runs here only where it
// does not matter how fast the server is; elsewhere the model that commands change is opened with patience.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/commands/model_to_change.h"
#include "tests/pipeline/cluster/nats_server.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
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
                                    std::string("cluster.stream=mail"), std::string("cluster.replicas=1")}) {
      words.emplace_back("--set");
      words.push_back(each);
    }
    return RunThresher(words, input);
  }
  // The model of this machine, as commands open it.
  std::unique_ptr<ModelToChange> Open(const std::string& machine) const {
    Settings settings;
    settings.store_path = directory_ / machine;
    settings.cluster = SettingsFor(server_->Url());
    auto model = ModelToChange::Open(settings, ModelToChange::IfMissing::kMake);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return *std::move(model);
  }
  Result<TeachResult> Learn(const std::string& machine, const std::string& message) const {
    const auto model = Open(machine);
    auto taught = model->Teach(model->Read(message, tokenizer::Kind::kMail), Label::kSpam, {});
    EXPECT_TRUE(model->Finish().has_value());
    return taught;
  }
  std::string ExportOf(const std::string& machine) const {
    const std::filesystem::path file = directory_ / (machine + ".export");
    const Ran ran = RunThresher({"export", "--store", directory_ / machine, "--out", file});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ReadBytes(file);
  }

  std::optional<NatsServer> server_;
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
}

TEST_F(LearnByLogTest, WhatTheLogCannotTakeIsDeliveredByTheNextCommand) {
  EXPECT_EQ(Learn("one", MessageNumber(1)), TeachResult::kNew);
  server_->Kill();
  const Ran kept = Run("one", {"learn", "--spam"}, MessageNumber(2));
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("1 kept until the shared log has them"));
  const Ran new_one = Run("two", {"learn", "--spam", "--wait", "0"}, MessageNumber(3));
  EXPECT_EQ(new_one.exit_code, kBusy);
  EXPECT_THAT(new_one.err, HasSubstr("cannot connect"));
  server_->Restart();
  EXPECT_EQ(Learn("one", MessageNumber(3)), TeachResult::kNew);
  EXPECT_EQ(Learn("two", MessageNumber(2)), TeachResult::kKnown);
}

TEST_F(LearnByLogTest, RepliesAndWhatIsForgottenGoThroughTheLog) {
  EXPECT_EQ(Learn("one", "Message-ID: <a@example>\n\nbuy now\n"), TeachResult::kNew);
  const Ran missing = Run("two", {"feedback", "--ham", "--id", "a@example"});
  EXPECT_EQ(missing.exit_code, kNoInput);
  EXPECT_THAT(missing.err, HasSubstr("begin with `thresher learn`"));
  EXPECT_EQ(Learn("two", "Message-ID: <b@example>\n\nbuy more\n"), TeachResult::kNew);
  EXPECT_EQ(Open("two")->TeachReply({Label::kHam, "a@example", ""}), TeachResult::kCorrected);
  {
    const auto one = Open("one");
    const auto key = one->TaughtKey("b@example", "");
    ASSERT_TRUE(key.has_value()) << key.error().message;
    const auto forgotten = one->ForgetThese({*key});
    ASSERT_TRUE(forgotten.has_value()) << forgotten.error().message;
    EXPECT_EQ(forgotten->messages, 1U);
  }
  EXPECT_EQ(Open("two")->TaughtKey("b@example", "").error().exit_code, kNoInput);
  EXPECT_EQ(ExportOf("one"), ExportOf("two"));
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

// Commands that ask a daemon, and what it refuses them.
#include "pipeline/serve/daemon_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"
#include "tests/pipeline/stand_still.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using DaemonClientTest = ServeTest;

// The daemon closes the connection with each of these answers.
TEST_F(DaemonClientTest, AMessageThatIsTooLargeIsNamedAndTheOthersAreLearned) {
  for (int i = 0; i < 4; ++i) {
    directory_.Write("spam/" + std::to_string(i), SpamMessage(i));
    directory_.Write("ham/" + std::to_string(i), HamMessage(i));
  }
  const std::string large = directory_.Write("spam/1-large", SpamMessage(9) + std::string(5000, 'x') + "\n");
  const std::string larger =
      directory_.Write("spam/2-larger", SpamMessage(9) + std::string(300'000, 'x') + "\n");
  RunningThresher daemon = Start({"--set", "serve.request_bytes=4000"});
  const Ran both =
      RunThresher({"learn", "--store", store_, "--spam", directory_ / "spam", "--ham", directory_ / "ham"});
  EXPECT_EQ(both.exit_code, kData);
  EXPECT_THAT(both.err, StartsWith("thresher: " + large + ": "));
  EXPECT_THAT(both.err, HasSubstr("\nthresher: " + larger + ": "));
  EXPECT_THAT(both.out, HasSubstr("ham: 4 learned, 0 corrected, 0 known already\n"));
  EXPECT_THAT(both.out, HasSubstr("spam: 4 learned, 0 corrected, 0 known already, 2 not taken\n"));
  // Where a class is alone, each message is asked about before.
  const Ran one = RunThresher({"learn", "--store", store_, "--spam", directory_ / "spam"});
  EXPECT_EQ(one.exit_code, kData);
  EXPECT_THAT(one.out, HasSubstr("spam: 0 learned, 0 corrected, 4 known already, 2 not taken\n"));
  EXPECT_EQ(Stop(daemon).exit_code, 0);
}

TEST_F(DaemonClientTest, ConnectsAgainIfTheDaemonHasClosed) {
  RunningThresher daemon = Start({"--set", "serve.idle_seconds=0.3"});
  Settings settings;
  settings.store_path = store_;
  auto client = DaemonClient::Find(settings);
  ASSERT_TRUE(client && *client);
  for (int i = 0; i < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    const auto counts = (*client)->Counts();
    ASSERT_TRUE(counts) << counts.error().message;
    EXPECT_EQ(counts->at("spam"), 0);
  }
  EXPECT_EQ(Stop(daemon).exit_code, 0);
  const auto gone = (*client)->Counts();
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().exit_code, kIo);
}

TEST_F(DaemonClientTest, ADaemonThatDoesNotAnswerIsGivenUp) {
  RunningThresher daemon = Start({});
  const std::string message = directory_.Write("message", SpamMessage(1));
  const std::string large = directory_.Write("large", SpamMessage(1) + std::string(4'000'000, 'x') + "\n");
  ASSERT_NO_FATAL_FAILURE(StandStill(daemon.pid()));
  for (const std::string& file : {message, large}) {
    const Ran learned = RunThresher({"learn", "--store", store_, "--wait", "1", "--spam", file});
    EXPECT_EQ(learned.exit_code, kBusy) << learned.out;
    EXPECT_THAT(learned.err, HasSubstr("does not answer"));
  }
  ASSERT_EQ(::kill(daemon.pid(), SIGCONT), 0);
  EXPECT_EQ(Stop(daemon).exit_code, 0);
}

// Through a daemon as without one: some spam has such identifiers, and mail without any has none.
TEST_F(DaemonClientTest, AnyMessageIdCanBeNamed) {
  RunningThresher daemon = Start({"--set", "spool.enabled=false"});  // it would have what Start has asked for
  for (const std::string id :
       {"<4T.01O79.\"Super Signal\"<service@ex.org>>", "a>b@c", "<back\\slash@c>", "<>"}) {
    const std::string message = "Message-ID: " + id + "\nSubject: pills\n\nbuy\n";
    const std::string file = directory_.Write("message", message);
    ASSERT_EQ(RunThresher({"learn", "--store", store_, "--spam", file}).exit_code, 0) << id;
    const Ran corrected = RunThresher({"feedback", "--store", store_, "--ham", "--id", id});
    EXPECT_EQ(corrected.exit_code, 0) << id << corrected.err;
    EXPECT_THAT(corrected.out, HasSubstr(" corrected as ham")) << id;
    const Ran forgotten = RunThresher({"forget", "--store", store_, file});
    EXPECT_EQ(forgotten.exit_code, 0) << id << forgotten.err;
    EXPECT_THAT(forgotten.out, AllOf(HasSubstr("1 message forgotten"), HasSubstr("until `thresher rebuild`")))
        << id;
  }
  EXPECT_EQ(Stop(daemon).exit_code, 0);
}

}  // namespace
}  // namespace thresher::pipeline

// The daemon as a mail server sees it, by the milter protocol.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <thread>

#include "tests/pipeline/serve/daemon.h"
#include "tests/pipeline/serve/milter_client.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

using MilterDaemonTest = ServeTest;

TEST_F(MilterDaemonTest, AReloadReachesOpenConnections) {
  TeachThatAllIsSpam();
  const std::string spam = "thresholds:\n  spam: 0.5\n";
  const std::string config = directory_.Write("config.yaml", spam);
  const std::string socket = directory_ / "milter";
  RunningThresher daemon = Start({"--config", config, "--milter", socket});
  Client client(socket);
  client.Send(MilterOptionsPacket());
  client.Receive(MilterOptionsPacket().size());
  client.Send(MilterMail().Packets());
  std::string answer;
  while (!answer.ends_with(MilterPacket(kMilterAccept))) {
    answer += client.Receive(1);
    ASSERT_EQ(answer.find("550 5.7.1"), std::string::npos);
  }
  directory_.Write("config.yaml", spam + "milter:\n  reject: 0.5\n");
  ::kill(daemon.pid(), SIGHUP);
  while (daemon.Complaints().find("event=reload") == std::string::npos) std::this_thread::yield();
  client.Send(MilterMail().Packets());
  EXPECT_THAT(client.Receive(20), HasSubstr("550 5.7.1"));
}

}  // namespace
}  // namespace thresher::pipeline

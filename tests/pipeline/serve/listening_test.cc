// Sockets that listen: by themselves, and those of a daemon that begins or ends.
#include "pipeline/serve/listening.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <filesystem>
#include <string>
#include <thread>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// As a killed daemon does.
void LeaveSocketAt(const std::string& path) {
  const auto address = UnixAddress::Of(path);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::bind(fd, address->get(), UnixAddress::size()), 0);
  ::close(fd);
}

TEST(ListenAt, RefusesWhatItShould) {
  EXPECT_EQ(ListenAt("0.0.0.0:0", {}).error().exit_code, kConfig);
  EXPECT_EQ(ListenAt("[::]:0", {}).error().exit_code, kConfig);
  EXPECT_TRUE(ListenAt("0.0.0.0:0", {.remote = true}));
  EXPECT_TRUE(ListenAt("127.0.0.1:0", {}));
  EXPECT_TRUE(ListenAt("localhost:0", {}));
  for (const char* wrong : {"", "783", "example.org:783", "127.0.0.1:", ":783", "127.0.0.1:smtp",
                            "127.0.0.1:65536", "127.0.0.1:-1"})
    EXPECT_EQ(ListenAt(wrong, {}).error().exit_code, kUsage) << wrong;
  EXPECT_EQ(ListenAt("/nonexistent/socket", {}).error().exit_code, kCantCreate);
}

TEST(ListenAt, ASocketFileIsReplacedIfNobodyListens) {
  const TestDirectory directory;
  const std::string path = directory / "socket";
  LeaveSocketAt(path);
  ASSERT_TRUE(std::filesystem::exists(path));
  {
    const auto first = ListenAt(path, {});
    ASSERT_TRUE(first);
    EXPECT_EQ(ListenAt(path, {}).error().exit_code, kBusy);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ListenAt, ASocketThatTookItsPlaceStays) {
  const TestDirectory directory;
  const std::string path = directory / "socket";
  auto first = ListenAt(path, {});
  ASSERT_TRUE(first);
  std::filesystem::remove(path);
  const auto second = ListenAt(path, {});
  ASSERT_TRUE(second);
  first->Close();
  EXPECT_EQ(ListenAt(path, {}).error().exit_code, kBusy);
}

TEST(ListenAt, WhatIsNoSocketIsLeftAlone) {
  const TestDirectory directory;
  const std::string file = directory.Write("file", "kept");
  const std::string folder = directory.path().string();
  std::filesystem::create_symlink("nowhere", directory / "link");
  for (const std::string& path : {file, folder, directory / "link"}) {
    const auto refused = ListenAt(path, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().exit_code, kCantCreate);
    EXPECT_EQ(refused.error().message, "cannot listen on " + path + ": it exists and is no socket");
  }
  EXPECT_EQ(ReadBytes(file), "kept");
}

TEST(ListenAt, UnixSocketsHaveTheirMode) {
  const TestDirectory directory;
  const auto mode = [](const std::string& path) { return std::filesystem::status(path).permissions(); };
  const auto owner = ListenAt(directory / "owner", {});
  EXPECT_EQ(mode(directory / "owner"), std::filesystem::perms(0600));
  const auto group = ListenAt(directory / "group", {.mode = 0660});
  EXPECT_EQ(mode(directory / "group"), std::filesystem::perms(0660));
}

TEST(ListenAt, APathMayBeLong) {
  const TestDirectory directory;
  const std::string folder = directory / (std::string(100, 'd') + "/" + std::string(100, 'e'));
  std::filesystem::create_directories(folder);
  const auto socket = ListenAt(folder + "/socket", {});
  ASSERT_TRUE(socket) << socket.error().message;
  EXPECT_EQ(socket->Name(), folder + "/socket");
  EXPECT_TRUE(Client(folder + "/socket").is_connected());
}

TEST(ListeningSocketTest, KnowsWhetherClientsCanConnect) {
  const auto is_listening = [](int type, bool listens) {
    const ListeningSocket socket(storage::Descriptor(::socket(AF_INET, type | SOCK_CLOEXEC, 0)), true);
    EXPECT_EQ(listens ? ::listen(socket.fd(), 1) : 0, 0);
    return socket.IsListening();
  };
  EXPECT_TRUE(is_listening(SOCK_STREAM, true));
  EXPECT_FALSE(is_listening(SOCK_STREAM, false));
  EXPECT_FALSE(is_listening(SOCK_DGRAM, false));
  EXPECT_FALSE(
      ListeningSocket(storage::Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)), true).IsListening());
}

using ListeningDaemonTest = ServeTest;

// Nor does it touch the model.
TEST_F(ListeningDaemonTest, WhatKeepsItFromListeningIsAllItSays) {
  const Ran none = RunThresher({"serve", "--store", store_});
  EXPECT_EQ(none.exit_code, kUsage);
  EXPECT_THAT(none.err, testing::StartsWith("thresher: there is no socket to listen on"));
  const Ran remote = RunThresher({"serve", "--store", store_, "--spamd", "0.0.0.0:0"});
  EXPECT_EQ(remote.exit_code, kConfig);
  EXPECT_THAT(remote.err, HasSubstr("serve.remote"));
  RunningThresher daemon = Start();
  const std::string other = directory_ / "other";
  std::filesystem::create_directory(other);
  const Ran second = RunThresher({"serve", "--store", other, "--spamd", spamd_});
  EXPECT_EQ(second.exit_code, kBusy);
  EXPECT_EQ(second.err, "thresher: cannot listen on " + spamd_ + ": another process listens there\n");
  EXPECT_TRUE(std::filesystem::is_empty(other));
  const std::string own = directory_ / "own";
  const Ran twice = RunThresher({"serve", "--store", other, "--spamd", own, "--http", own});
  EXPECT_EQ(twice.exit_code, kUsage);
  EXPECT_EQ(twice.err, "thresher: --http: " + own + " is named twice\n");
  EXPECT_EQ(Stop(daemon).exit_code, 0);
}

TEST_F(ListeningDaemonTest, RemovesWhatAKilledDaemonLeft) {
  {
    RunningThresher killed = Start();
    killed.Kill();
    killed.Finish();
  }
  EXPECT_TRUE(std::filesystem::exists(spamd_));
  RunningThresher daemon = Start();
  EXPECT_EQ(Stop(daemon).exit_code, 0);
}

TEST_F(ListeningDaemonTest, ASecondDaemonOfAModelTakesThePlaceOfTheFirst) {
  RunningThresher daemon = Start();
  const std::string other = directory_ / "other";
  RunningThresher second({"serve", "--store", store_, "--spamd", other});
  std::string answer;
  while (answer.find("another") == std::string::npos && answer.find("writ") == std::string::npos) {
    Client client(other);
    if (client.is_connected()) answer = client.Ask(SpamdRequest("CHECK", HamMessage(1)));
    ASSERT_THAT(answer, Not(HasSubstr("EX_OK")));
  }
  EXPECT_THAT(answer, HasSubstr("75 EX_TEMPFAIL"));
  // Until the first has ended; then commands find the second.
  EXPECT_EQ(Stop(daemon).exit_code, 0);
  while (!Client(store_ + "/default.socket").is_connected()) std::this_thread::yield();
  EXPECT_EQ(Stop(second).exit_code, 0);
}

// The first still finishes a request when the second listens at the same path.
TEST_F(ListeningDaemonTest, ADaemonThatEndsLeavesTheSocketOfItsSuccessor) {
  RunningThresher first = Start();
  Client slow(spamd_);
  slow.Send("CHECK SPAMC/1.5\r\n");
  ::kill(first.pid(), SIGTERM);
  while (first.Complaints().find("event=stop\n") == std::string::npos) std::this_thread::yield();
  while (Client(spamd_).is_connected()) std::this_thread::yield();
  const std::string other = directory_ / "other";
  std::filesystem::create_directory(other);
  RunningThresher second({"serve", "--store", other, "--spamd", spamd_});
  while (!IsReady(spamd_)) std::this_thread::yield();
  slow.SendEnd();
  EXPECT_EQ(first.Finish().exit_code, 0);
  EXPECT_TRUE(IsReady(spamd_));
  EXPECT_EQ(Stop(second).exit_code, 0);
}

}  // namespace
}  // namespace thresher::pipeline

// What systemd gives the daemon and hears from it, and whether the unit files are sound. Parts that need
// systemd's tools are shown as skipped where these are not installed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

bool IsInstalled(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

Ran RunCommand(const std::string& command, const std::string& out) {
  const int status = std::system((command + " >" + out + " 2>&1").c_str());
  return {WEXITSTATUS(status), ReadBytes(out), ""};
}

// What a service manager is, to a daemon.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const auto address = UnixAddress::Of(path);
    if (::bind(fd_, address->get(), UnixAddress::size()) != 0) throw std::runtime_error("bind");
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  }
  ~NotifySocket() {
    ::unsetenv("NOTIFY_SOCKET");
    ::close(fd_);
  }
  // Waits for the next message.
  std::string Hear() const {
    char buffer[1000];
    const ssize_t count = ::recv(fd_, buffer, sizeof buffer, 0);
    return count > 0 ? std::string(buffer, static_cast<size_t>(count)) : "";
  }
  std::string HearAfter(const std::string& beginning) const {
    std::string heard = Hear();
    while (!heard.starts_with(beginning)) heard = Hear();
    return heard;
  }

 private:
  int fd_;
};

class SystemdTest : public ServeTest {};

TEST_F(SystemdTest, HearsHowTheDaemonIs) {
  const NotifySocket manager(directory_ / "notify");
  ::setenv("WATCHDOG_USEC", "40000", 1);
  RunningThresher daemon = Start();
  EXPECT_EQ(manager.Hear(), "STATUS=Ready");
  EXPECT_EQ(manager.Hear(), "READY=1");
  EXPECT_EQ(manager.Hear(), "WATCHDOG=1");
  EXPECT_EQ(manager.Hear(), "WATCHDOG=1");
  ::unsetenv("WATCHDOG_USEC");
  ::kill(daemon.pid(), SIGHUP);
  manager.HearAfter("RELOADING=1");
  manager.HearAfter("READY=1");
  // A daemon whose words nobody takes waits: it ends while it is heard.
  ::kill(daemon.pid(), SIGTERM);
  manager.HearAfter("STOPPING=1");
  EXPECT_EQ(daemon.Finish().exit_code, 0);
}

TEST_F(SystemdTest, IsToldWhyNothingIsJudged) {
  const NotifySocket manager(directory_ / "notify");
  directory_.Write("store/default", "a file where the model should be");
  RunningThresher daemon({"serve", "--store", store_, "--spamd", spamd_});
  EXPECT_THAT(manager.Hear(), testing::StartsWith("STATUS=Not ready: "));
  EXPECT_EQ(manager.Hear(), "READY=1");
}

// It would wait for beats, and kill a daemon that opens its model for long.
TEST_F(SystemdTest, IsNotToldThatItIsReadyByAReloadBefore) {
  RunningThresher first = Start();
  ASSERT_EQ(Stop(first).exit_code, 0);
  // To open it takes as long as nobody writes to the pipe.
  const std::string pipe = store_ + "/default/db/CURRENT";
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const NotifySocket manager(directory_ / "notify");
  RunningThresher daemon({"serve", "--store", store_, "--spamd", spamd_});
  while (daemon.Complaints().find("event=listen") == std::string::npos) std::this_thread::yield();
  ::kill(daemon.pid(), SIGHUP);
  while (daemon.Complaints().find("event=reload") == std::string::npos) std::this_thread::yield();
  const int writes = ::open(pipe.c_str(), O_RDWR);
  std::filesystem::remove(pipe);
  ::close(writes);
  EXPECT_THAT(manager.Hear(), testing::StartsWith("STATUS="));
}

TEST_F(SystemdTest, GivesSockets) {
  if (!IsInstalled("systemd-socket-activate")) GTEST_SKIP() << "systemd-socket-activate is not installed";
  const std::string pid = directory_ / "pid";
  const auto start = [&](const std::string& name) {
    return std::system(("systemd-socket-activate -l " + spamd_ + " --fdname=" + name + " " THRESHER_PROGRAM +
                        " serve --store " + store_ + " >" + (directory_ / "log") + " 2>&1 & echo $! >" + pid)
                           .c_str());
  };
  ASSERT_EQ(start("spamd"), 0);
  while (!IsReady(spamd_)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_THAT(Tell(SpamMessage(1), true), HasSubstr("DidSet: local"));
  ::kill(std::stoi(ReadBytes(pid)), SIGTERM);
  while (ReadBytes(directory_ / "log").find("event=stopped") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  // The socket is the service manager's.
  EXPECT_TRUE(std::filesystem::exists(spamd_));
  std::filesystem::remove(spamd_);
  ASSERT_EQ(start("imap"), 0);
  while (ReadBytes(directory_ / "log").find("FileDescriptorName") == std::string::npos) {
    Client(spamd_).Send("x");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST_F(SystemdTest, WhatDoesNotListenIsRefused) {
  const Ran ran = RunCommand(
      "LISTEN_FDS=1 LISTEN_FDNAMES=spamd timeout 60 sh -c "
      "'export LISTEN_PID=$$; exec " THRESHER_PROGRAM " serve --store " +
          store_ + "' 3</dev/null",
      directory_ / "log");
  EXPECT_EQ(ran.exit_code, kConfig) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("a socket with the name 'spamd' to which no client can connect"));
}

TEST_F(SystemdTest, FindsTheUnitsSound) {
  if (!IsInstalled("systemd-analyze")) GTEST_SKIP() << "systemd-analyze is not installed";
  const std::string source = std::string(THRESHER_SOURCE_DIR) + "/packaging/systemd/";
  std::string unit = ReadBytes(source + "thresher.service.in");
  const auto replace = [&](const std::string& what, const std::string& by) {
    for (size_t at = unit.find(what); at != std::string::npos; at = unit.find(what))
      unit.replace(at, what.size(), by);
  };
  replace("@CMAKE_INSTALL_FULL_BINDIR@", std::filesystem::path(THRESHER_PROGRAM).parent_path().string());
  replace("@CMAKE_INSTALL_FULL_DOCDIR@", "/usr/share/doc/thresher");
  ASSERT_EQ(unit.find('@' + std::string("CMAKE")), std::string::npos);
  const std::string service = directory_.Write("thresher.service", unit);
  std::string units = service;
  for (const char* name : {"thresher-spamd.socket", "thresher-http.socket", "thresher-milter.socket"})
    units += " " + directory_.Write(name, ReadBytes(source + name));
  // Where Postfix finds the milter (docs/mail-systems.md).
  std::filesystem::create_directory(directory_ / "thresher-milter.socket.d");
  directory_.Write("thresher-milter.socket.d/postfix.conf",
                   ReadBytes(THRESHER_SOURCE_DIR "/packaging/integration/postfix/thresher-milter.conf"));
  const Ran verified =
      RunCommand("systemd-analyze verify --recursive-errors=no --man=no " + units, directory_ / "out");
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
  EXPECT_THAT(verified.out, testing::Not(HasSubstr("thresher")));
  // 0 is best, 10 worst, in tenths.
  const Ran safe = RunCommand("systemd-analyze security --offline=yes --threshold=10 --no-pager " + service,
                              directory_ / "out");
  EXPECT_EQ(safe.exit_code, 0) << safe.out;
  // Who asks over a Unix socket must be told apart.
  EXPECT_THAT(unit, testing::Not(HasSubstr("\nPrivateUsers=")));
}

}  // namespace
}  // namespace thresher::pipeline

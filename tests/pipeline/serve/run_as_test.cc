// The daemon that root starts, and another user of the machine runs: serve.run_as.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunAsTest : public ServeTest {
 protected:
  // The user's, as are the folders of the test. Null if there is none.
  const passwd* MakeRoomForNobody() const {
    const passwd* const nobody = ::getpwnam("nobody");
    for (const std::string& folder : {directory_.path().string(), store_}) {
      if (nobody == nullptr || ::chown(folder.c_str(), nobody->pw_uid, nobody->pw_gid) != 0) return nullptr;
    }
    return nobody;
  }
  Ran Run(const std::vector<std::string>& flags) const {
    std::vector<std::string> words = {"serve", "--store", store_, "--spamd", spamd_};
    words.insert(words.end(), flags.begin(), flags.end());
    return RunThresher(words);
  }
};

TEST_F(RunAsTest, GivesUpRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  const passwd* const nobody = MakeRoomForNobody();
  ASSERT_NE(nobody, nullptr);
  int port = 0;
  RunningThresher daemon = StartOverTcp("--http", {"--set", "serve.run_as=nobody"}, &port);
  const std::string status = ReadBytes("/proc/" + std::to_string(daemon.pid()) + "/status");
  const std::string id = std::to_string(nobody->pw_uid);
  const std::string group = std::to_string(nobody->pw_gid);
  EXPECT_THAT(status, HasSubstr("\nUid:\t" + id + "\t" + id + "\t" + id + "\t" + id + "\n"));
  EXPECT_THAT(status, HasSubstr("\nGid:\t" + group + "\t" + group + "\t" + group + "\t" + group + "\n"));
  EXPECT_THAT(status, HasSubstr("\nGroups:\t" + group));
  EXPECT_THAT(status, HasSubstr("\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n"));
  struct stat socket {};
  ASSERT_EQ(::stat(spamd_.c_str(), &socket), 0);
  EXPECT_EQ(socket.st_uid, nobody->pw_uid);
  EXPECT_THAT(Tell(SpamMessage(1), true), HasSubstr("DidSet: local\r\n"));
  // The home of root, where its configuration would be, is closed to others.
  ::kill(daemon.pid(), SIGHUP);
  while (daemon.Complaints().find("event=reload") == std::string::npos) std::this_thread::yield();
  EXPECT_THAT(daemon.Complaints(), Not(HasSubstr("error=")));
  const Ran ran = Stop(daemon);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, Not(HasSubstr("why=root")));
}

TEST_F(RunAsTest, ReadsItsConfigurationAsThatUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_NE(MakeRoomForNobody(), nullptr);
  const std::string config =
      directory_.Write("configuration/thresher/config.yaml", "serve: {run_as: nobody}\n");
  ASSERT_EQ(::chmod(config.c_str(), 0600), 0);
  const Ran closed = Run({"--config", config});
  EXPECT_NE(closed.exit_code, 0);
  EXPECT_THAT(closed.err, HasSubstr(config + ": Permission denied"));
  // That of root, where others have none.
  const std::string said = directory_ / "said";
  const std::string run = "XDG_CONFIG_HOME=" + (directory_ / "configuration") +
                          " " THRESHER_PROGRAM " serve --store " + store_ + " --spamd " + spamd_ + " 2>" +
                          said;
  EXPECT_EQ(WEXITSTATUS(std::system(run.c_str())), kConfig);
  EXPECT_THAT(ReadBytes(said), HasSubstr("the user 'nobody' reads another configuration"));
}

TEST_F(RunAsTest, SaysWhoseSocketIsThere) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  RunningThresher killed = Start();
  killed.Kill();
  ASSERT_NE(MakeRoomForNobody(), nullptr);
  const Ran ran = Run({"--set", "serve.run_as=nobody"});
  EXPECT_EQ(ran.exit_code, kCantCreate);
  EXPECT_THAT(ran.err, HasSubstr("there is another user's socket"));
}

TEST_F(RunAsTest, BecomesNobodyElseWithoutRoot) {
  for (const auto& [user, says] : {std::pair{"no-such-user", "there is no user 'no-such-user'"},
                                   std::pair{"daemon", "only root can become the user 'daemon'"}}) {
    const Ran ran = RunThresher(
        {"serve", "--store", store_, "--http", "127.0.0.1:0", "--set", std::string("serve.run_as=") + user},
        "", As::kNobody);
    EXPECT_EQ(ran.exit_code, kConfig);
    EXPECT_THAT(ran.err, HasSubstr(says));
  }
}

}  // namespace
}  // namespace thresher::pipeline

// The daemon that root starts, and another user of the machine runs: serve.run_as.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunAsTest : public ServeTest {};

TEST_F(RunAsTest, GivesUpRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  const passwd* const nobody = ::getpwnam("nobody");
  ASSERT_NE(nobody, nullptr);
  for (const std::string& folder : {directory_.path().string(), store_})
    ASSERT_EQ(::chown(folder.c_str(), nobody->pw_uid, nobody->pw_gid), 0);
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
  const Ran ran = Stop(daemon);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, Not(HasSubstr("why=root")));
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

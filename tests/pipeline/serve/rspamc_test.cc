// The unmodified rspamc of Debian against the daemon. Shown as skipped where it is not installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <optional>
#include <regex>
#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

class RspamcTest : public ServeTest {
 protected:
  void SetUp() override {
    if (std::system("command -v rspamc >/dev/null 2>&1") != 0) GTEST_SKIP() << "rspamc is not installed";
    int port = 0;
    daemon_.emplace(StartOverTcp(
        "--http", {"--set", "serve.token_file=" + directory_.Write("token", "secret\r\n")}, &port));
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  Ran Rspamc(const std::string& flags, const std::string& message) const {
    const std::string in = directory_.Write("in", message);
    const std::string out = directory_ / "out";
    const int status = std::system(
        ("rspamc -t 600 -h " + address_ + " " + flags + " '" + in + "' >'" + out + "' 2>&1 </dev/null")
            .c_str());
    return {WEXITSTATUS(status), ReadBytes(out), ""};
  }

  std::string address_;
  std::optional<RunningThresher> daemon_;
};

// Of what rspamc prints: "Results for file: x (0.003 seconds)".
std::string WithoutTimes(const std::string& out) {
  return std::regex_replace(out, std::regex(R"(\([0-9.]+ seconds\))"), "");
}

TEST_F(RspamcTest, LearnsAndJudges) {
  EXPECT_THAT(Rspamc("learn_spam", SpamMessage(0)).out, HasSubstr("401"));
  for (int i = 0; i < 45; ++i) {
    const Ran ran = Rspamc(
        std::string(i % 2 == 0 ? "-z " : "") + "-P secret " + (i % 3 == 0 ? "learn_spam" : "learn_ham"),
        MessageNumber(i));
    ASSERT_THAT(ran.out, HasSubstr("success = true")) << i;
  }
  const Ran spam = Rspamc("symbols", SpamMessage(700));
  EXPECT_EQ(spam.exit_code, 0);
  EXPECT_THAT(spam.out, HasSubstr("Action: add header\nSpam: true\n"));
  EXPECT_THAT(spam.out, HasSubstr("THRESHER_SPAM"));
  EXPECT_THAT(spam.out, HasSubstr("Message-ID: spam700@pills.example"));
  EXPECT_EQ(WithoutTimes(Rspamc("-z symbols", SpamMessage(700)).out), WithoutTimes(spam.out));
  const Ran ham = Rspamc("symbols", HamMessage(700));
  EXPECT_THAT(ham.out, HasSubstr("Action: no action\nSpam: false\n"));
  const Ran stat = Rspamc("-z -P secret stat", "");
  EXPECT_THAT(stat.out, HasSubstr("Messages learned: 45\n"));
  EXPECT_THAT(Rspamc("--mime symbols", SpamMessage(700)).out, HasSubstr("X-Spam"));
}

}  // namespace
}  // namespace thresher::pipeline

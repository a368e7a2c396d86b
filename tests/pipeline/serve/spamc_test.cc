// The unmodified spamc of Debian against the daemon. Shown as skipped where it is not installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SpamcTest : public ServeTest {
 protected:
  void SetUp() override {
    if (std::system("command -v spamc >/dev/null 2>&1") != 0) GTEST_SKIP() << "spamc is not installed";
    daemon_.emplace(Start());
  }
  // spamc with these flags; its standard error is part of what it printed.
  Ran Spamc(const std::string& flags, const std::string& message) const {
    const std::string in = directory_.Write("in", message);
    const std::string out = directory_ / "out";
    const int status = std::system(
        ("spamc -F /dev/null -U '" + spamd_ + "' " + flags + " <'" + in + "' >'" + out + "' 2>&1").c_str());
    return {WEXITSTATUS(status), ReadBytes(out), ""};
  }
  void Teach() const {
    for (int i = 0; i < 45; ++i) Tell(MessageNumber(i), i % 3 == 0);
  }

  std::optional<RunningThresher> daemon_;
};

TEST_F(SpamcTest, LearnsAndForgets) {
  const Ran learned = Spamc("-L spam", SpamMessage(1));
  EXPECT_EQ(learned.out, "Message successfully un/learned\n");
  EXPECT_EQ(Spamc("-L spam", SpamMessage(1)).out, "Message was already un/learned\n");
  EXPECT_EQ(Spamc("-L ham", SpamMessage(1)).out, "Message successfully un/learned\n");
  EXPECT_EQ(Spamc("-L forget", SpamMessage(1)).out, "Message successfully un/learned\n");
  EXPECT_EQ(Spamc("-L forget", SpamMessage(1)).out, "Message was already un/learned\n");
  EXPECT_EQ(Spamc("-L ham", HamMessage(1)).out, "Message successfully un/learned\n");
}

TEST_F(SpamcTest, Judges) {
  Teach();
  const Ran spam = Spamc("-c", SpamMessage(700));
  EXPECT_EQ(spam.exit_code, 1) << spam.out;
  EXPECT_THAT(spam.out, testing::MatchesRegex("[0-9.]+/5.0\n"));
  const Ran ham = Spamc("-c", HamMessage(700));
  EXPECT_EQ(ham.exit_code, 0) << ham.out;
  EXPECT_THAT(ham.out, testing::MatchesRegex("-?[0-9.]+/5.0\n"));
  EXPECT_EQ(Spamc("-y", SpamMessage(700)).out, "THRESHER_SPAM");
  EXPECT_THAT(Spamc("-R", HamMessage(700)).out, HasSubstr("Ham, probability 0.0"));
  EXPECT_THAT(Spamc("-r", SpamMessage(700)).out, HasSubstr("Spam, probability 0.9"));
  EXPECT_EQ(Spamc("-r", HamMessage(700)).out, "");  // where nobody answers it prints a score
  EXPECT_EQ(Spamc("-K", "").out, "SPAMD/1.5 0\n");
}

TEST_F(SpamcTest, FiltersAsFilterDoes) {
  Teach();
  const std::string message = SpamMessage(700);
  const Ran filtered = Spamc("", message);
  EXPECT_THAT(filtered.out, StartsWith("X-Thresher: Spam, probability=0.9"));
  EXPECT_THAT(filtered.out, testing::EndsWith("\n" + message));
  EXPECT_EQ(Spamc("--headers", message).out, filtered.out);
  EXPECT_EQ(Spamc("-E", message).exit_code, 1);
}

TEST_F(SpamcTest, MailPassesWhereTheDaemonDoesNotAnswer) {
  EXPECT_EQ(Stop(*daemon_).exit_code, 0);
  const Ran passed = Spamc("--connect-retries=1", SpamMessage(1));
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_THAT(passed.out, HasSubstr(SpamMessage(1)));
}

}  // namespace
}  // namespace thresher::pipeline

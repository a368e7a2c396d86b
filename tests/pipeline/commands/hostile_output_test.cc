// What a sender writes and how a file is named reaches neither the terminal nor the lines of other messages.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "pipeline/terminal/character.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

// Raw 9B begins a command on terminals that are not in UTF-8 mode, U+009B on others, U+202E turns text round.
constexpr char kHostile[] =
    "From: \x9b[2J <a\x9b@b.example>\nSubject: free \x9b[31m \xc2\x9b[31m \xe2\x80\xae moc \xe2\x81\xa6 "
    "words\n"
    "X-Mailer: \x9b[2J\xe2\x80\xaegnp.exe\nX-\x9b: 1\nX-Other: \xe2\x80\xae \x9b\n\n\xe2\x80\xae \x9b[2J "
    "\xc2\x85 body\n";

void ExpectSafe(const Ran& ran) {
  for (const std::string& text : {ran.out, ran.err}) {
    for (std::string_view left = text; !left.empty();) {
      const Character c = TakeCharacter(&left);
      ASSERT_TRUE(c.is_safe || c.bytes == "\n") << testing::PrintToString(c.bytes) << "\n"
                                                << testing::PrintToString(text);
    }
  }
}

class HostileOutput : public testing::Test {
 protected:
  void SetUp() override {
    RunThresher({"learn", "--spam", "--store", store_}, kHostile);
    RunThresher({"learn", "--ham", "--store", store_}, HamMessage(1));
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
};

TEST_F(HostileOutput, NoCommandPassesItOn) {
  const std::string file = directory_.Write("\x9b[2J\xe2\x80\xae\nHam    0.000001 -9 innocent", kHostile);
  for (const std::string command : {"explain", "classify", "vocab"}) {
    for (const bool json : {false, true}) {
      std::vector<std::string> arguments = {command, "--store", store_};
      if (command != "classify") arguments.insert(arguments.end(), {"--top", "0"});
      if (command != "vocab") arguments.push_back(file);
      if (json) arguments.emplace_back("--json");
      SCOPED_TRACE(command + (json ? " --json" : ""));
      const Ran ran = RunThresher(arguments);
      EXPECT_FALSE(ran.out.empty());
      ExpectSafe(ran);
    }
  }
  ExpectSafe(RunThresher({"explain", "--store", store_, directory_ / "\x9b\n"}, ""));
}

TEST_F(HostileOutput, AFileNameForgesNoLine) {
  const std::string file = directory_.Write("name\nHam    0.000001 -9 innocent", kHostile);
  const Ran ran = RunThresher({"classify", "--store", store_, file});
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("name\\x0aHam "));
}

// Reads slowly what `filter` writes to a pipe that is non-blocking.
TEST_F(HostileOutput, FilterWaitsForANonBlockingReader) {
  const std::string message = SpamMessage(1) + std::string(1 << 20, 'x') + "\n";
  const std::string file = directory_.Write("message", message);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(file.c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::execl(THRESHER_PROGRAM, "thresher", "filter", "--store", store_.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string out;
  char buffer[4096];
  ::poll(nullptr, 0, 300);  // the pipe is full by now
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(out.ends_with(message.substr(message.size() - 1000)) && out.size() > message.size());
}

}  // namespace
}  // namespace thresher::pipeline

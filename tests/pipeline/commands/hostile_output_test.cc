// What a sender writes and how a file is named reaches neither the terminal nor the lines of other messages.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "pipeline/terminal/character.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

// Raw 9B begins a command on terminals that are not in UTF-8 mode, U+009B on others, U+202E turns text round.
constexpr char kHostile[] =
    "From: \x9b[2J <a\x9b@b.example>\nMessage-ID: <c\xc2\x9b\xe2\x80\xae@b.example>\nSubject: free \x9b[31m "
    "\xc2\x9b[31m \xe2\x80\xae moc \xe2\x81\xa6 words\n"
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
  for (const std::string command : {"export", "stats"}) {
    SCOPED_TRACE(command);
    const Ran ran = RunThresher({command, "--store", store_});
    EXPECT_FALSE(ran.out.empty());
    ExpectSafe(ran);
  }
  ExpectSafe(RunThresher({"explain", "--store", store_, directory_ / "\x9b\n"}, ""));
}

TEST_F(HostileOutput, NamesOfUsersAreSafe) {
  const std::string results = directory_.Write(
      "results",
      "a judge=ham class=ham score=-1 user=\xc2\x9b[2J\nb judge=spam class=spam score=1 user=\x9b[2J\n"
      "c judge=spam class=spam score=1 user=\xe2\x80\xaex\n");
  const Ran ran = RunThresher({"eval", results, "--by", "user"});
  EXPECT_THAT(ran.out, HasSubstr("\\x9b[2J"));
  ExpectSafe(ran);
}

TEST_F(HostileOutput, AFileNameForgesNoLine) {
  const std::string file = directory_.Write("name\nHam    0.000001 -9 innocent", kHostile);
  const Ran ran = RunThresher({"classify", "--store", store_, file});
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("name\\x0aHam "));
}

// A taught Message-ID is shown, and may stand in a list, without a byte that a terminal obeys.
TEST_F(HostileOutput, AMessageIdIsListedSafelyAndFoundAgain) {
  const std::string id = "a\x9b[2J\xe2\x80\xaez\\x41\xc2\x9b@b.example";
  RunThresher({"learn", "--store", store_, "--spam", directory_.Write("spam", Mailbox(40, SpamMessage)),
               "--ham", directory_.Write("ham", Mailbox(40, HamMessage))});
  RunThresher({"learn", "--ham", "--store", store_}, "Message-ID: <" + id + ">\n" + SpamMessage(50));
  const Ran list = RunThresher({"doubt", "--list", "--store", store_});
  ASSERT_THAT(list.out, HasSubstr("spam <a\\x9b[2J\\xe2\\x80\\xaez\\x5cx41\\xc2\\x9b@b.example> "));
  ExpectSafe(list);
  EXPECT_THAT(RunThresher({"doubt", "--json", "--store", store_}).out,
              HasSubstr(R"("message_id": "a\\x9b[2J\\xe2\\x80\\xaez\\x5cx41\\xc2\\x9b@b.example")"));
  const std::string file = directory_.Write("list", list.out);
  EXPECT_THAT(RunThresher({"feedback", "--list", file, "--store", store_}).out, HasSubstr("1 corrected"));
  const Ran one = RunThresher({"feedback", "--ham", "--id", "<" + id + ">", "--store", store_});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  ExpectSafe(one);
}

// What thresher writes to a non-blocking pipe whose reader waits until it is full.
Ran RunWithSlowReader(const std::vector<std::string>& arguments, const std::string& input) {
  constexpr int kRoom = 4096;
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  EXPECT_GE(::fcntl(ends[1], F_SETPIPE_SZ, kRoom), kRoom);
  EXPECT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(input.c_str(), O_RDONLY), STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    for (const char* place : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}) ::setenv(place, "/nonexistent", 1);
    std::vector<char*> argv = {const_cast<char*>("thresher")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(THRESHER_PROGRAM, argv.data());
    ::_exit(127);
  }
  siginfo_t ended{};
  pollfd room{.fd = ends[1], .events = POLLOUT, .revents = 0};
  while (::poll(&room, 1, 0) > 0 && ended.si_pid == 0) {
    ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
    ::poll(nullptr, 0, 1);
  }
  ::close(ends[1]);
  Ran ran;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    ran.out.append(buffer, static_cast<size_t>(count));
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  ran.exit_code = WEXITSTATUS(status);
  return ran;
}

TEST_F(HostileOutput, EveryCommandWaitsForANonBlockingReader) {
  std::string message = SpamMessage(1);
  for (int i = 0; i < 2000; ++i) message += "word" + std::to_string(i) + (i % 10 == 9 ? "\n" : " ");
  const std::string file = directory_.Write("message", message);
  EXPECT_EQ(RunThresher({"learn", "--ham", "--store", store_, file}).exit_code, 0);
  std::vector<std::string> classify = {"classify", "--store", store_};
  classify.insert(classify.end(), 300, directory_.Write("short", SpamMessage(1)));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"filter", "--store", store_},
                                                    {"explain", "--store", store_, "--top", "0", file},
                                                    {"vocab", "--store", store_, "--top", "0", "--json"},
                                                    {"export", "--store", store_},
                                                    {"config", "--presets", "--json"},
                                                    classify}) {
    SCOPED_TRACE(arguments.front());
    const Ran slow = RunWithSlowReader(arguments, file);
    const Ran quick = RunThresher(arguments, message);
    EXPECT_EQ(slow.exit_code, quick.exit_code);
    EXPECT_TRUE(slow.out == quick.out) << slow.out.size() << " and " << quick.out.size() << " bytes";
  }
}

}  // namespace
}  // namespace thresher::pipeline

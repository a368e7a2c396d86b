#include "pipeline/serve/event_log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <string>

#include "storage/descriptor.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using Kind = EventLog::Kind;
using testing::MatchesRegex;

class EventLogTest : public testing::Test {
 protected:
  ~EventLogTest() override { ::close(fd_); }
  // What was written, without the times.
  std::string Written() const {
    const std::string bytes = ReadBytes(directory_ / "log");
    std::string lines;
    for (size_t at = 0; at < bytes.size();) {
      const size_t end = bytes.find('\n', at);
      const std::string line = bytes.substr(at, end - at);
      lines += (line.starts_with("time=") ? line.substr(line.find(' ') + 1) : line) + "\n";
      at = end + 1;
    }
    return lines;
  }

  TestDirectory directory_;
  int fd_ = ::open((directory_ / "log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
};

TEST_F(EventLogTest, NobodyCanWriteLinesOfTheirOwn) {
  EventLog log(fd_, "all");
  log.Write(Kind::kRequest, {{"event", "classify"}, {"user", "a b"}, {"none", ""}});
  log.Write(Kind::kRequest, {{"user", "x\nevent=fake"}});
  log.Write(Kind::kRequest, {{"user", "quote\" and \\ and \xc3\xa4"}, {"n", "1"}});
  EXPECT_EQ(Written(),
            "event=classify user=\"a b\"\n"
            "user=\"x\\x0aevent=fake\"\n"
            "user=\"quote\\\" and \\\\ and \\xc3\\xa4\" n=1\n");
}

TEST_F(EventLogTest, ALongLineEndsWhole) {
  const std::map<char, std::string> shown = {{' ', " "}, {'"', "\\\""}, {'\n', "\\x0a"}, {'\xc3', "\\xc3"}};
  EventLog log(fd_, "all");
  for (const auto& [c, text] : shown) {
    const size_t before = ReadBytes(directory_ / "log").size();
    log.Write(Kind::kError, {{"event", "long"}, {"value", std::string(10000, c)}, {"last", "lost"}});
    const std::string line = ReadBytes(directory_ / "log").substr(before);
    EXPECT_LE(line.size(), size_t{PIPE_BUF});
    EXPECT_GT(line.size(), size_t{PIPE_BUF - 100});
    const size_t begin = line.find(" value=");
    ASSERT_NE(begin, std::string::npos) << line;
    std::string value = "\"";
    while (value.size() + text.size() < line.size() - begin - 8) value += text;
    EXPECT_EQ(line.substr(begin), " value=" + value + "\"\n");
  }
}

TEST_F(EventLogTest, WritesWhatIsWanted) {
  EventLog log(fd_, "changes");
  log.Write(Kind::kRequest, {{"event", "classify"}});
  log.Write(Kind::kChange, {{"event", "learn"}});
  log.SetLevel("errors");
  log.Write(Kind::kChange, {{"event", "learn"}});
  log.Write(Kind::kError, {{"event", "full"}});
  EXPECT_EQ(Written(), "event=learn\nevent=full\n");
}

TEST(EventLogPipeTest, DoesNotWaitForAReader) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const storage::Descriptor reading(ends[0]);
  const storage::Descriptor writing(ends[1]);
  const int room = ::fcntl(ends[1], F_SETPIPE_SZ, 4096);
  EventLog log(ends[1], "all");
  const std::string long_value(size_t{2} * PIPE_BUF, 'a');
  log.Write(Kind::kError, {{"long", long_value}});
  for (int i = 0; i < 3; ++i) log.Write(Kind::kError, {{"event", "unread"}});
  std::string bytes(static_cast<size_t>(room), '\0');
  const ssize_t cut = ::read(ends[0], bytes.data(), bytes.size());
  ASSERT_GT(cut, PIPE_BUF - 100);
  ASSERT_LE(cut, PIPE_BUF);
  EXPECT_EQ(bytes.find('\n'), static_cast<size_t>(cut) - 1) << "one line";
  const auto next_line = [&] {
    log.Write(Kind::kError, {{"event", "read"}});
    const ssize_t size = ::read(ends[0], bytes.data(), bytes.size());
    return bytes.substr(0, static_cast<size_t>(std::max<ssize_t>(size, 0)));
  };
  EXPECT_THAT(next_line(), MatchesRegex("[^\n]*event=read unread=3\n"));
  EXPECT_THAT(next_line(), MatchesRegex("[^\n]*event=read\n"));
}

}  // namespace
}  // namespace thresher::pipeline

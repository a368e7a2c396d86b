#include "pipeline/serve/event_log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using Kind = EventLog::Kind;

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

TEST_F(EventLogTest, WritesWhatIsWanted) {
  EventLog log(fd_, "changes");
  log.Write(Kind::kRequest, {{"event", "classify"}});
  log.Write(Kind::kChange, {{"event", "learn"}});
  log.SetLevel("errors");
  log.Write(Kind::kChange, {{"event", "learn"}});
  log.Write(Kind::kError, {{"event", "full"}});
  EXPECT_EQ(Written(), "event=learn\nevent=full\n");
}

}  // namespace
}  // namespace thresher::pipeline

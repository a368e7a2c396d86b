#include "pipeline/terminal/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace thresher::pipeline {
namespace {

// Standard error is a terminal of this many columns while it lives.
class NarrowTerminal {
 public:
  explicit NarrowTerminal(unsigned short columns) : user_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    ::grantpt(user_);
    ::unlockpt(user_);
    const winsize size{.ws_row = 5, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(user_, TIOCSWINSZ, &size);
    const int program = ::open(::ptsname(user_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ::dup2(program, STDERR_FILENO);
    ::close(program);
  }
  ~NarrowTerminal() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(user_);
  }
  NarrowTerminal(const NarrowTerminal&) = delete;
  NarrowTerminal& operator=(const NarrowTerminal&) = delete;

  bool ShowsSomething() const {
    pollfd ready{.fd = user_, .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, 0) > 0;
  }
  std::string Text() const {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(user_, bytes.data(), bytes.size());
    return {bytes.data(), static_cast<size_t>(count > 0 ? count : 0)};
  }

 private:
  int before_ = ::dup(STDERR_FILENO);
  int user_;
};

std::string FirstLine(unsigned short columns) {
  const NarrowTerminal terminal(columns);
  Progress progress("messages", 1000000);
  while (!terminal.ShowsSomething()) progress.Set(999999);
  const std::string text = terminal.Text();
  const size_t begin = text.find('\r') + 1;
  return text.substr(begin, text.find('\x1b') - begin);
}

TEST(ProgressTest, ALineIsNoLongerThanTheTerminal) {
  EXPECT_THAT(FirstLine(200),
              testing::StartsWith("[#############################.] 999999/1000000 messages"));
  EXPECT_THAT(FirstLine(60), testing::StartsWith("999999/1000000 messages"));
  EXPECT_EQ(FirstLine(12), "999999/1000");
}

}  // namespace
}  // namespace thresher::pipeline

#include "storage/writer_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "storage/store_directory.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstPoll{5};
constexpr std::chrono::milliseconds kLongestPoll{20};  // the longest time from a release to the next lock
constexpr std::chrono::milliseconds kUnnoticed{200};   // people do not notice a wait that is shorter
constexpr size_t kLongestCommand = 200;

// The text as one line that is safe to show on a terminal.
std::string Printable(std::string_view text) {
  std::string line(text.substr(0, kLongestCommand));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// The program and the name of its command, without what follows: it may name a message or a user, and stays
// in the file when they are forgotten.
std::string OwnCommand() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string program;
  std::string command;
  std::getline(std::getline(file, program, '\0'), command, '\0');
  return Printable(command.starts_with('-') ? program : program + ' ' + command);
}

// Writes pid, command and time, one line each. Only people read them, so a failure to write (a full disk) is
// ignored.
void DescribeHolder(int fd) {
  const std::string text =
      fmt::format("{}\n{}\n{:%Y-%m-%dT%H:%M:%SZ}\n", getpid(), OwnCommand(), fmt::gmtime(std::time(nullptr)));
  const ssize_t written = pwrite(fd, text.data(), text.size(), 0);
  // Truncates after writing, so that a waiting process never reads an empty file.
  if (ftruncate(fd, std::max<ssize_t>(written, 0)) != 0) return;
}

std::string HolderOf(int fd) {
  std::array<char, 512> bytes{};
  const ssize_t size = pread(fd, bytes.data(), bytes.size(), 0);
  std::string_view rest(bytes.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  std::array<std::string, 3> lines;
  for (std::string& line : lines) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return "another process";
    line = Printable(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return fmt::format("process {} ({}), since {}", lines[0], lines[1], lines[2]);
}

// Whether `path` is still the locked file: a store may be removed and made again while this process waits.
bool IsSameFile(int fd, const std::filesystem::path& path) {
  struct stat ours {};
  struct stat there {};
  return fstat(fd, &ours) == 0 && lstat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
         ours.st_dev == there.st_dev;
}

// Whether writing to the file changes nothing but the lock file: a hard link may lead to another file.
bool HasOneName(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink <= 1;
}

std::string BusyText(const std::filesystem::path& dir, int fd) {
  return fmt::format("{} is being written to by {}", dir.string(), HolderOf(fd));
}

// 0, or the errno that says why the lock could not be taken before the deadline. Calls `still_busy` after
// each attempt in vain.
int LockBefore(int fd, Clock::time_point deadline, const std::function<void()>& still_busy) {
  for (auto pause = kFirstPoll;; pause = std::min(pause * 2, kLongestPoll)) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK && errno != EINTR) return errno;
    const auto left = deadline - Clock::now();
    if (left <= Clock::duration::zero()) return EWOULDBLOCK;
    still_busy();
    std::this_thread::sleep_for(std::min<Clock::duration>(pause, left));
  }
}

}  // namespace

Result<WriterLock> WriterLock::Acquire(const std::filesystem::path& dir, std::chrono::milliseconds wait,
                                       const OnWait& on_wait) {
  if (auto own = CheckWritableStore(dir); !own) return tl::unexpected(own.error());
  const std::filesystem::path path = WriterLockPath(dir);
  const auto begin = Clock::now();
  const auto deadline = begin + wait;
  bool is_told = !on_wait;
  for (;;) {
    Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666));
    if (!file.is_open())
      return tl::unexpected(SystemError(errno, fmt::format("cannot open {}", path.string())));
    const int fd = file.number();
    WriterLock lock(std::move(file));
    if (!HasOneName(fd)) {
      return tl::unexpected(
          Error{ErrorKind::kDenied,
                fmt::format("{} is no file of its own, but a link or a device: remove it", path.string())});
    }
    const int error = LockBefore(fd, deadline, [&] {
      if (is_told || Clock::now() - begin < kUnnoticed) return;
      is_told = true;
      on_wait(BusyText(dir, fd));
    });
    if (error == EWOULDBLOCK) {
      return tl::unexpected(
          Error{ErrorKind::kBusy, fmt::format("{}: wait until it ends, or stop it", BusyText(dir, fd))});
    }
    if (error != 0) return tl::unexpected(SystemError(error, fmt::format("cannot lock {}", path.string())));
    if (!IsSameFile(fd, path)) continue;
    DescribeHolder(fd);
    return lock;
  }
}

Result<void> WriterLock::CheckPlace(const std::filesystem::path& dir) const {
  if (IsSameFile(file_.number(), WriterLockPath(dir))) return {};
  return tl::unexpected(Error{
      ErrorKind::kMissing,
      fmt::format("{} was removed or moved while it was open: what was taught since is lost", dir.string())});
}

}  // namespace thresher::storage

#include "pipeline/trec/command_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

namespace thresher::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kComplaintBytes = 4096;
constexpr int64_t kReapMilliseconds = 50;

std::vector<pid_t> Children() {
  std::ifstream list("/proc/thread-self/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

Error OutOf(const char* what, int reason) {
  return {kIo, fmt::format("cannot run the filter: {}: {}", what, std::strerror(reason))};
}

void Close(int& fd) {
  if (fd >= 0) ::close(std::exchange(fd, -1));
}

// Appends what can be read now, up to `limit` bytes in all; drops the rest. False at the end.
bool Drain(int fd, size_t limit, std::string* into) {
  char buffer[16384];
  while (true) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 && errno == EAGAIN;
    into->append(buffer, std::min(static_cast<size_t>(count), limit - into->size()));
    if (into->size() == limit) return true;  // a fast writer must not keep this loop busy
  }
}

}  // namespace

struct CommandRunner::Pipes {
  int out[2] = {-1, -1};
  int err[2] = {-1, -1};

  bool Open() {
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) return false;
    return ::fcntl(out[0], F_SETFL, O_NONBLOCK) == 0 && ::fcntl(err[0], F_SETFL, O_NONBLOCK) == 0;
  }
  ~Pipes() {
    for (int* fd : {&out[0], &out[1], &err[0], &err[1]}) Close(*fd);
  }
};

CommandRunner::CommandRunner(std::filesystem::path folder, const CommandLimits& limits,
                             const Interrupts& interrupts)
    : folder_(std::move(folder)), limits_(limits), interrupts_(interrupts), others_(Children()) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // a process whose parent ends becomes our child
}

CommandRunner::~CommandRunner() {
  EndAll();
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

void CommandRunner::Become(const std::vector<std::string>& words, const Pipes& pipes) const {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);  // main ignores them
  ::sigprocmask(SIG_SETMASK, &interrupts_.mask_before(), nullptr);
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(pipes.out[1], STDOUT_FILENO);
  ::dup2(pipes.err[1], STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  ::setenv("HOME", folder_.c_str(), 1);
  ::unsetenv("XDG_CONFIG_HOME");
  ::unsetenv("XDG_DATA_HOME");
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (::chdir(folder_.c_str()) == 0) ::execv(arguments[0], arguments.data());
  const std::string reason = fmt::format("cannot be run: {}", std::strerror(errno));
  static_cast<void>(::write(STDERR_FILENO, reason.data(), reason.size()));
  ::_exit(127);
}

Result<Ended> CommandRunner::Run(const std::vector<std::string>& words) {
  Pipes pipes;
  if (!pipes.Open()) return tl::unexpected(OutOf("pipe", errno));
  Ended ended;
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) return tl::unexpected(OutOf("fork", errno));
  if (child == 0) Become(words, pipes);
  ::setpgid(child, child);  // parent and child both do it: either may run first
  Close(pipes.out[1]);
  Close(pipes.err[1]);
  // Not pidfd_open: glibc 2.36 declares it for C only.
  int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  const int unwatched = process < 0 ? errno : 0;
  if (unwatched == 0) ended.how = Follow(child, process, pipes, &ended);
  Close(process);
  // As long as nobody has waited for the child, its process and group numbers cannot be reused.
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);  // it may have left its group
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  ended.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  Note(usage);
  ReapStrays(child);
  if (unwatched != 0) return tl::unexpected(OutOf("pidfd_open", unwatched));
  if (ended.how == Ending::kExit && WIFSIGNALED(status)) ended.how = Ending::kSignal;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (interrupts_.IsPending()) return tl::unexpected(Error{kInternal, "interrupted"});
  return ended;
}

// Returns when the process has ended or must be killed.
Ending CommandRunner::Follow(pid_t child, int process, Pipes& pipes, Ended* ended) {
  const auto deadline = Clock::now() + limits_.time;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Ending::kTimeout;
    pollfd waiting[] = {{process, POLLIN, 0},
                        {interrupts_.descriptor(), POLLIN, 0},
                        {pipes.out[0], POLLIN, 0},
                        {pipes.err[0], POLLIN, 0}};
    if (::poll(waiting, std::size(waiting), static_cast<int>(std::min<int64_t>(left, kReapMilliseconds))) < 0)
      continue;
    ReapStrays(child);
    if (!Drain(pipes.out[0], limits_.output_bytes + 1, &ended->out)) Close(pipes.out[0]);
    if (!Drain(pipes.err[0], kComplaintBytes, &ended->complaint)) Close(pipes.err[0]);
    if (ended->out.size() > limits_.output_bytes) return Ending::kOutput;
    if (waiting[0].revents != 0 || waiting[1].revents != 0) return Ending::kExit;
  }
}

std::vector<pid_t> CommandRunner::Strays(pid_t child) const {
  std::vector<pid_t> strays;
  for (const pid_t pid : Children()) {
    if (pid != child && std::find(others_.begin(), others_.end(), pid) == others_.end())
      strays.push_back(pid);
  }
  return strays;
}

// A command that stops its own server waits until the server's process is gone. That happens only when its
// parent, now this process, waits for it.
void CommandRunner::ReapStrays(pid_t child) {
  rusage usage{};
  for (const pid_t stray : Strays(child)) {
    if (::wait4(stray, nullptr, WNOHANG, &usage) == stray) Note(usage);
  }
}

void CommandRunner::EndAll() {
  for (std::vector<pid_t> strays = Strays(0); !strays.empty(); strays = Strays(0)) {
    for (const pid_t stray : strays) {
      ::kill(stray, SIGKILL);
      rusage usage{};
      while (::wait4(stray, nullptr, 0, &usage) < 0 && errno == EINTR) {
      }
      Note(usage);
    }
  }
}

void CommandRunner::Note(const rusage& usage) { peak_kib_ = std::max(peak_kib_, usage.ru_maxrss); }

}  // namespace thresher::pipeline

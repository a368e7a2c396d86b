#include "pipeline/delivery/isolated.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

namespace thresher::pipeline {
namespace {

// The child writes 'V' and its answer, or 'E' and the reason why there is none.
constexpr char kAnswerMark = 'V';
constexpr char kErrorMark = 'E';

// SIGKILL does not end a child that waits for a disk. Other programs wait for the end of these pipes.
void LeaveStandardInputAndOutput() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
}

[[noreturn]] void RunChild(int out, const std::function<Result<std::string>()>& work) {
  LeaveStandardInputAndOutput();
  std::string answer;
  try {
    const Result<std::string> done = work();
    answer = done ? kAnswerMark + *done : kErrorMark + done.error().message;
  } catch (const std::exception& fault) {
    answer = kErrorMark + std::string(fault.what());
  }
  // One write: an answer is far shorter than the buffer of a pipe.
  const ssize_t written = ::write(out, answer.data(), answer.size());
  // _exit: the child must not flush the parent's buffers or run its exit handlers.
  ::_exit(written < 0 ? 1 : 0);
}

// Reads `in` to its end; nothing if that takes more than `seconds`.
std::optional<std::string> ReadUntil(int in, double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string answer;
  char buffer[4096];
  while (true) {
    const auto left =
        std::chrono::duration<double, std::milli>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return std::nullopt;
    pollfd waiting{in, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(left) + 1) <= 0) continue;
    const ssize_t count = ::read(in, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return answer;
    answer.append(buffer, static_cast<size_t>(count));
  }
}

Error NoAnswer(std::string reason) { return {kInternal, std::move(reason)}; }

Result<std::string> Interpret(const std::optional<std::string>& answer, int status, double timeout_seconds,
                              const IsolatedWords& words) {
  if (!answer)
    return tl::unexpected(NoAnswer(fmt::format("no {} within {:g} seconds", words.answer, timeout_seconds)));
  if (!answer->empty() && answer->front() == kAnswerMark) return answer->substr(1);
  if (!answer->empty()) return tl::unexpected(NoAnswer(answer->substr(1)));
  return tl::unexpected(NoAnswer(WIFSIGNALED(status)
                                     ? fmt::format("the {} died of signal {}", words.worker, WTERMSIG(status))
                                     : fmt::format("the {} gave no {}", words.worker, words.answer)));
}

}  // namespace

Result<std::string> RunIsolated(const std::function<Result<std::string>()>& work, double timeout_seconds,
                                const IsolatedWords& words) {
  int ends[2];
  if (::pipe(ends) != 0) return tl::unexpected(NoAnswer(fmt::format("pipe: {}", std::strerror(errno))));
  const pid_t child = ::fork();
  if (child == 0) RunChild(ends[1], work);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return tl::unexpected(NoAnswer(fmt::format("fork: {}", std::strerror(errno))));
  }
  const std::optional<std::string> answer = ReadUntil(ends[0], timeout_seconds);
  ::close(ends[0]);
  if (!answer) ::kill(child, SIGKILL);
  // A killed child is not waited for: it may still be waiting for a disk.
  int status = 0;
  while (::waitpid(child, &status, answer ? 0 : WNOHANG) < 0 && errno == EINTR) {
  }
  return Interpret(answer, status, timeout_seconds, words);
}

}  // namespace thresher::pipeline

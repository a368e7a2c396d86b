#include "pipeline/delivery/isolated_verdict.h"

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

#include "pipeline/delivery/message_judge.h"
#include "pipeline/delivery/sender_lists.h"
#include "pipeline/opening/opening.h"

namespace thresher::pipeline {
namespace {

// The child writes 'V' and the marks, the tag in the first line, or 'E' and the reason why there are none.
constexpr char kVerdictMark = 'V';
constexpr char kErrorMark = 'E';

Result<Marks> Classify(const Settings& settings, std::string_view message) {
  const std::filesystem::path directory = ModelDirectory(settings);
  if (const auto exists = CheckModelExists(directory); !exists) {
    if (exists.error().exit_code != kNoInput) return tl::unexpected(exists.error());
    return NoModelMarks(exists.error().message, settings.features.marks);
  }
  const auto lists = SenderLists::Load(settings);
  if (!lists) return tl::unexpected(lists.error());
  auto scorer = OpenScorer(directory, settings);
  if (!scorer) return tl::unexpected(scorer.error());
  MessageJudge judge(*std::move(scorer));
  judge.Read(message, tokenizer::Kind::kMail, settings.user);
  const auto judged = judge.Judge(message, settings, *lists, KeepNow);
  if (!judged) return tl::unexpected(judged.error());
  return MarksOf(*judged, settings.features.marks);
}

[[noreturn]] void RunChild(int out, const Settings& settings, std::string_view message) {
  std::string answer;
  try {
    const Result<Marks> marks = Classify(settings, message);
    answer = marks ? kVerdictMark + marks->tag + '\n' + marks->lines : kErrorMark + marks.error().message;
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

Error NoVerdict(std::string reason) { return {kInternal, std::move(reason)}; }

Result<Marks> Interpret(const std::optional<std::string>& answer, int status, double timeout_seconds) {
  if (!answer)
    return tl::unexpected(NoVerdict(fmt::format("no verdict within {:g} seconds", timeout_seconds)));
  if (!answer->empty() && answer->front() == kVerdictMark) {
    std::string_view lines = std::string_view(*answer).substr(1);
    std::string tag(TakeMarkLine(&lines));
    return Marks{std::string(lines), std::move(tag)};
  }
  if (!answer->empty()) return tl::unexpected(NoVerdict(answer->substr(1)));
  return tl::unexpected(NoVerdict(WIFSIGNALED(status)
                                      ? fmt::format("the classifier died of signal {}", WTERMSIG(status))
                                      : std::string("the classifier gave no verdict")));
}

}  // namespace

Result<Marks> ClassifyIsolated(const Settings& settings, std::string_view message) {
  int ends[2];
  if (::pipe(ends) != 0) return tl::unexpected(NoVerdict(fmt::format("pipe: {}", std::strerror(errno))));
  const pid_t child = ::fork();
  if (child == 0) RunChild(ends[1], settings, message);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return tl::unexpected(NoVerdict(fmt::format("fork: {}", std::strerror(errno))));
  }
  const std::optional<std::string> answer = ReadUntil(ends[0], settings.filter_timeout_seconds);
  ::close(ends[0]);
  if (!answer) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return Interpret(answer, status, settings.filter_timeout_seconds);
}

}  // namespace thresher::pipeline

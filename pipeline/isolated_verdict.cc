#include "pipeline/isolated_verdict.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>

#include "pipeline/model.h"
#include "pipeline/spool.h"
#include "pipeline/teaching.h"
#include "pipeline/verdict_header.h"

namespace thresher::pipeline {
namespace {

// What the child writes: 'V' and the header's value, or 'E' and the reason.
constexpr char kVerdictMark = 'V';
constexpr char kErrorMark = 'E';

Result<std::string> Classify(const Settings& settings, std::string_view message) {
  const std::filesystem::path directory = ModelDirectory(settings);
  const tokenizer::MessageKey key = tokenizer::KeyOf(message);
  if (!storage::Database::Exists(directory))
    return VerdictHeaderValue(Verdict::kUnsure, Score{0, 0.5}, key.digest);
  auto model = Model::OpenForReading(directory, settings);
  if (!model) return tl::unexpected(model.error());
  tokenizer::Features features;
  (*model)->MakeTokenizer().Tokenize(message, tokenizer::Kind::kMail, &features);
  const Result<Score> score = (*model)->Classify(features);
  if (!score) return tl::unexpected(score.error());
  // A spool that is full, read-only or absent must not touch the delivery.
  if (settings.spool_enabled) static_cast<void>(SpoolOf(settings, **model).Keep(key, features));
  return VerdictHeaderValue(settings.thresholds.Decide(score->probability), *score, key.digest);
}

[[noreturn]] void RunChild(int out, const Settings& settings, std::string_view message) {
  std::string answer;
  try {
    Result<std::string> value = Classify(settings, message);
    answer = value ? kVerdictMark + *value : kErrorMark + value.error().message;
  } catch (const std::exception& fault) {
    answer = kErrorMark + std::string(fault.what());
  }
  // One write: an answer is far shorter than a pipe.
  const ssize_t written = ::write(out, answer.data(), answer.size());
  // _exit: nothing of the parent's (buffers, at-exit handlers) is the child's to finish.
  ::_exit(written < 0 ? 1 : 0);
}

// What arrives on `in` until its end, or nothing when `seconds` have passed.
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

IsolatedVerdict Failed(std::string reason, std::string on_error) {
  std::string value = ErrorHeaderValue(reason);
  return {std::move(value), true, std::move(reason), std::move(on_error)};
}

IsolatedVerdict Interpret(const std::optional<std::string>& answer, int status, const Settings& settings) {
  if (!answer)
    return Failed(fmt::format("no verdict within {:g} seconds", settings.filter_timeout_seconds),
                  settings.filter_on_error);
  if (!answer->empty() && answer->front() == kVerdictMark)
    return {answer->substr(1), false, "", settings.filter_on_error};
  if (!answer->empty() && answer->front() == kErrorMark)
    return Failed(answer->substr(1), settings.filter_on_error);
  return Failed(WIFSIGNALED(status) ? fmt::format("the classifier died of signal {}", WTERMSIG(status))
                                    : "the classifier gave no verdict",
                settings.filter_on_error);
}

}  // namespace

IsolatedVerdict ClassifyIsolated(const ModelFlags& flags, std::string_view message) {
  const Result<Settings> settings = flags.Resolve();
  if (!settings) return Failed(settings.error().message, "pass");
  int ends[2];
  if (::pipe(ends) != 0)
    return Failed(fmt::format("pipe: {}", std::strerror(errno)), settings->filter_on_error);
  const pid_t child = ::fork();
  if (child == 0) RunChild(ends[1], *settings, message);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return Failed(fmt::format("fork: {}", std::strerror(errno)), settings->filter_on_error);
  }
  const std::optional<std::string> answer = ReadUntil(ends[0], settings->filter_timeout_seconds);
  ::close(ends[0]);
  if (!answer) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return Interpret(answer, status, *settings);
}

}  // namespace thresher::pipeline

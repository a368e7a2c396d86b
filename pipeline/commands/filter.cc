// thresher filter: a message in, the same message with our header out. Whatever else fails, the message comes
// out.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>

#include "pipeline/commands/command.h"
#include "pipeline/isolated_verdict.h"
#include "pipeline/verdict_header.h"

namespace thresher::pipeline {
namespace {

// What is held in memory and looked at; the rest of a longer message is passed on as it comes.
constexpr size_t kHeldBytes = size_t{64} << 20;

// False at the end of input; errors are 75: the mail system keeps the message and tries again.
Result<bool> ReadSome(std::string* buffer, size_t limit) {
  const size_t before = buffer->size();
  const size_t step = std::min<size_t>(limit - before, size_t{256} << 10);
  buffer->resize(before + step);
  ssize_t count = 0;
  do {
    count = ::read(STDIN_FILENO, buffer->data() + before, step);
  } while (count < 0 && errno == EINTR);
  buffer->resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
  if (count < 0)
    return tl::unexpected(Error{kBusy, fmt::format("reading the message failed: {}", std::strerror(errno))});
  return count > 0;
}

Result<void> WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return tl::unexpected(
          Error{kBusy, fmt::format("writing the message failed: {}", std::strerror(errno))});
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

// Reads the message, asks judge(message) for the header's value and writes the message with it; or nothing,
// with exit code 75, if there is none and `tempfail` says so.
template <class Judge>
Result<int> PassOn(const Judge& judge, const std::function<bool()>& tempfail) {
  std::string message;
  bool more = true;
  while (more && message.size() < kHeldBytes) {
    const Result<bool> read = ReadSome(&message, kHeldBytes);
    if (!read) return tl::unexpected(read.error());
    more = *read;
  }
  const Result<std::string> verdict = judge(message);
  if (!verdict && tempfail()) return kBusy;
  const std::string value = verdict ? *verdict : ErrorHeaderValue(verdict.error().message);
  if (auto written = WriteAll(WithVerdictHeader(message, value)); !written)
    return tl::unexpected(written.error());
  while (more) {
    message.clear();
    const Result<bool> read = ReadSome(&message, kHeldBytes);
    if (!read) return tl::unexpected(read.error());
    more = *read;
    if (auto written = WriteAll(message); !written) return tl::unexpected(written.error());
  }
  return 0;
}

Result<int> Filter(const ModelFlags& flags, const std::string& on_error) {
  const Result<Settings> settings = flags.Resolve();
  const auto judge = [&](const std::string& message) -> Result<std::string> {
    auto verdict = settings ? ClassifyIsolated(*settings, message) : tl::unexpected(settings.error());
    if (!verdict) Fail(verdict.error());
    return verdict;
  };
  const std::string fallback = settings ? settings->filter_on_error : "pass";
  return PassOn(judge, [&] { return (on_error.empty() ? fallback : on_error) == "tempfail"; });
}

}  // namespace

int PassMailOn(const std::string& complaint, bool tempfail) {
  const auto judge = [&](const std::string&) -> Result<std::string> {
    return tl::unexpected(Error{kUsage, complaint});
  };
  return Run([&] { return PassOn(judge, [&] { return tempfail; }); });
}

void AddFilter(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "filter", "Read a message, write it with an X-Thresher header (for procmail, maildrop, Sieve)");
  command->footer(
      "The message comes out byte-identical but for our header, whatever is wrong with store, model or "
      "configuration (or\n"
      "command line): then the header says Error and why. Never learns, never creates a store; without one "
      "the verdict is Unsure.\n"
      "Exit code: 0; 75 if reading or writing the message itself failed, or on an error with --on-error "
      "tempfail.\n"
      "\n"
      "procmail:  :0fw\n"
      "           | thresher filter");
  struct Flags {
    ModelFlags model;
    std::string on_error;
  };
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  command
      ->add_option("--on-error", flags->on_error,
                   "pass: deliver with an Error header; tempfail: exit 75 and write nothing")
      ->check(CLI::IsMember({"pass", "tempfail"}));
  command->callback([=] { *exit_code = Run([&] { return Filter(flags->model, flags->on_error); }); });
}

}  // namespace thresher::pipeline

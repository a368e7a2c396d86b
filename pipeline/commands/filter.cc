// thresher filter: a message in, the same message with our header out. Whatever else fails, the message comes
// out.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <optional>

#include "pipeline/commands/command.h"
#include "pipeline/commands/model_to_change.h"
#include "pipeline/delivery/isolated.h"
#include "pipeline/delivery/isolated_verdict.h"
#include "pipeline/delivery/marks.h"
#include "pipeline/terminal/awaiting.h"
#include "storage/write_file.h"
#include "tokenizer/thresher_headers.h"

namespace thresher::pipeline {
namespace {

struct FilterFlags {
  ModelFlags model;
  std::string on_error;
};

// The part of a message that is held in memory and judged; the rest is copied without being looked at.
constexpr size_t kHeldBytes = size_t{64} << 20;

// How much is read at once: a page that a short message does not fill costs more than another call.
constexpr size_t kFirstStep = size_t{16} << 10;
constexpr size_t kLongestStep = size_t{256} << 10;

// False at the end of input; errors are 75: the mail system keeps the message and tries again.
Result<bool> ReadSome(std::string* buffer, size_t limit) {
  const size_t before = buffer->size();
  const size_t step = std::min<size_t>(limit - before, std::clamp(before, kFirstStep, kLongestStep));
  buffer->resize(before + step);
  ssize_t count = 0;
  do {
    count = ::read(STDIN_FILENO, buffer->data() + before, step);
  } while (count < 0 && storage::CanTryAgain(STDIN_FILENO, POLLIN));
  buffer->resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
  if (count < 0)
    return tl::unexpected(Error{kBusy, fmt::format("reading the message failed: {}", std::strerror(errno))});
  return count > 0;
}

Result<void> WriteOut(std::string_view bytes) {
  if (storage::WriteAll(STDOUT_FILENO, bytes)) return {};
  return tl::unexpected(Error{kBusy, fmt::format("writing the message failed: {}", std::strerror(errno))});
}

struct Held {
  std::string message;  // all of it, or the first kHeldBytes
  bool more = true;     // standard input may have more of it
  bool short_of_memory = false;
};

Result<void> Hold(Held* held) {
  try {
    while (held->more && held->message.size() < kHeldBytes) {
      const Result<bool> read = ReadSome(&held->message, kHeldBytes);
      if (!read) return tl::unexpected(read.error());
      held->more = *read;
    }
  } catch (const std::bad_alloc&) {
    held->short_of_memory = true;
  }
  return {};
}

// Needs no memory, so that the mail comes out if there is none.
Result<void> WriteWith(const Marks& marks, std::string_view message) {
  Result<void> written;
  WriteMarked(message, marks, [&](std::string_view piece) {
    written = WriteOut(piece);
    return written.has_value();
  });
  return written;
}

Result<void> CopyRest(std::string* buffer) {
  while (true) {
    buffer->clear();
    const Result<bool> read = ReadSome(buffer, kHeldBytes);
    if (!read) return tl::unexpected(read.error());
    if (!*read) return {};
    if (auto written = WriteOut(*buffer); !written) return written;
  }
}

// The marks of a message.
using Judge = std::function<Result<Marks>(const std::string&)>;

// No verdict if the head is longer than what is held: the rest, which is not looked at, may have a header of
// thresher's that the sender wrote.
Result<Marks> JudgeHeld(const Held& held, const Judge& judge, const tokenizer::OwnMarks& own) {
  if (held.short_of_memory) return tl::unexpected(Error{kInternal, "out of memory"});
  if (held.more && !tokenizer::HasWholeHead(held.message, own))
    return tl::unexpected(
        Error{kData, fmt::format("the head of the message has more than {} MiB", kHeldBytes >> 20)});
  return judge(held.message);
}

// Reads the message, asks judge(message) for the marks and writes the message with them; or nothing, with
// exit code 75, if there are none and tempfail() says so. When a message that is held as a whole is written,
// calls on_written(message).
Result<int> PassOn(const Judge& judge, const std::function<bool()>& tempfail, const tokenizer::OwnMarks& own,
                   const std::function<void(const std::string&)>& on_written) {
  Held held;
  SayAwaited("-", "a message");
  if (auto done = Hold(&held); !done) return tl::unexpected(done.error());
  tokenizer::RemoveThresherHeaders(&held.message, own);
  const Result<Marks> judged = JudgeHeld(held, judge, own);
  if (!judged && tempfail()) return kBusy;
  const Marks marks = judged ? *judged : ErrorMarks(judged.error().message, own);
  if (auto written = WriteWith(marks, held.message); !written) return tl::unexpected(written.error());
  if (!held.more) {
    on_written(held.message);
    return 0;
  }
  if (auto copied = CopyRest(&held.message); !copied) return tl::unexpected(copied.error());
  return 0;
}

// What cannot be passed on stays with the mail system.
int ExitCode(int code) { return code == 0 ? 0 : kBusy; }

// Does not wait for another writer: the mail system waits for filter.
void TeachOwnVerdict(Settings settings, const std::string& message, Label label) {
  settings.wait_seconds = 0;
  const auto teach = [&]() -> Result<std::string> {
    const auto model = ModelToChange::Open(settings, ModelToChange::IfMissing::kRefuse);
    if (!model) return tl::unexpected(model.error());
    const ModelToChange::Message read = (*model)->Read(message, tokenizer::Kind::kMail);
    const auto taught = (*model)->Teach(read, label, {.self_taught = true});
    if (!taught) return tl::unexpected(taught.error());
    return (*model)->Finish().map([] { return std::string(); });
  };
  const auto done = RunIsolated(teach, settings.filter_timeout_seconds,
                                {.worker = "process that teaches", .answer = "end of teaching"});
  if (!done) Fail({done.error().exit_code, "filter.self_train: not taught: " + done.error().message});
}

Result<int> Filter(const FilterFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  std::optional<Label> to_teach;
  const auto judge = [&](const std::string& message) -> Result<Marks> {
    auto verdict = settings ? ClassifyIsolated(*settings, message) : tl::unexpected(settings.error());
    if (!verdict) {
      Fail(verdict.error());
      return tl::unexpected(verdict.error());
    }
    if (!verdict->not_kept.empty()) Fail({kIo, "not kept for late feedback: " + verdict->not_kept});
    to_teach = verdict->to_teach;
    return std::move(verdict->marks);
  };
  const auto teach = [&](const std::string& message) {
    if (to_teach) TeachOwnVerdict(*settings, message, *to_teach);
  };
  const std::string fallback = settings ? settings->filter_on_error : "pass";
  return PassOn(
      judge, [&] { return (flags.on_error.empty() ? fallback : flags.on_error) == "tempfail"; },
      settings ? settings->features.marks : tokenizer::OwnMarks(), teach);
}

}  // namespace

int PassMailOn(const std::string& complaint, bool tempfail) {
  const auto judge = [&](const std::string&) -> Result<Marks> {
    return tl::unexpected(Error{kUsage, complaint});
  };
  const auto teach_nothing = [](const std::string&) {};
  return ExitCode(Run([&] {
    return PassOn(
        judge, [&] { return tempfail; }, {}, teach_nothing);
  }));
}

void AddFilter(CommandLine& line) {
  Command command = line.Add(
      "filter",
      "Copy a message from input to output and add an X-Thresher header (for procmail, maildrop, Sieve)");
  command.Footer(
      "The message is written byte by byte as it was read, with one header added. If the store, the model,\n"
      "the configuration or the command line is wrong, the header says Error and the reason. filter never\n"
      "creates a store, and trains only with --learn; without a store the verdict is Unsure.\n"
      "A recipe of procmail:\n"
      "\n"
      "    :0fw\n"
      "    | thresher filter\n"
      "\n"
      "Exit code: 0; 75 if the message itself could not be read or written, or on an error with\n"
      "--on-error tempfail.");
  FilterFlags& flags = command.Runs(Filter, ExitCode);
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.model.AddSetting(command, "--learn", "filter.self_train");
  command.RefuseArgument("filter reads the message from standard input: `thresher filter < FILE`");
  command
      .Add("--on-error", &flags.on_error,
           "On an error, pass: write the message with an Error header; tempfail: write nothing, exit 75")
      .Check(OneOf({"pass", "tempfail"}));
}

}  // namespace thresher::pipeline

#include "pipeline/trec/trec_filter.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr FilterCommand kAllCommands[] = {FilterCommand::kInitialize, FilterCommand::kClassify,
                                          FilterCommand::kTrain, FilterCommand::kFinalize};

Result<void> CheckExecutables(const fs::path& folder) {
  for (const FilterCommand command : kAllCommands) {
    const fs::path path = folder / NameOf(command);
    std::error_code ignored;
    const bool is_file = fs::is_regular_file(path, ignored);
    if (is_file && ::access(path.c_str(), X_OK) == 0) continue;
    return tl::unexpected(Error{
        kNoInput,
        fmt::format("{}: {}; a filter is a folder with the executables initialize, classify, train, finalize",
                    path.string(), is_file ? "not executable" : "there is no such file")});
  }
  return {};
}

// The disk space of the files, as du counts it.
uint64_t BytesOnDisk(const fs::path& folder) {
  uint64_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    struct stat status {};
    if (::lstat(entry->path().c_str(), &status) == 0) bytes += static_cast<uint64_t>(status.st_blocks) * 512;
  }
  return bytes;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// How a command failed; nothing if it succeeded.
struct Fault {
  Failure kind;
  std::string what;
};

std::optional<Fault> FaultOf(const Ended& ended) {
  switch (ended.how) {
    case Ending::kExit:
      if (ended.code == 0) return std::nullopt;
      return Fault{Failure::kExitCode, fmt::format("exit code {}", ended.code)};
    case Ending::kSignal:
      return Fault{Failure::kSignal, fmt::format("died of signal {}", ended.code)};
    case Ending::kTimeout:
      return Fault{Failure::kTimeout, fmt::format("killed after {:.1f} s", ended.seconds)};
    case Ending::kOutput:
      return Fault{Failure::kTooMuch, "killed: it printed too much"};
  }
  return std::nullopt;
}

}  // namespace

std::string_view NameOf(FilterCommand command) {
  constexpr std::string_view kNames[] = {"initialize", "classify", "train", "finalize"};
  return kNames[static_cast<size_t>(command)];
}

Result<std::unique_ptr<TrecFilter>> TrecFilter::Open(const fs::path& folder, const CommandLimits& limits) {
  if (auto checked = CheckExecutables(folder); !checked) return tl::unexpected(checked.error());
  auto directory = TemporaryDirectory::Make("thresher-jig");
  if (!directory) return tl::unexpected(directory.error());
  std::error_code error;
  fs::copy(folder, (*directory)->path() / "filter", fs::copy_options::recursive, error);
  if (error)
    return tl::unexpected(Error{kCantCreate, fmt::format("{}: cannot be copied to {}: {}", folder.string(),
                                                         (*directory)->path().string(), error.message())});
  return std::unique_ptr<TrecFilter>(new TrecFilter(*std::move(directory), limits));
}

TrecFilter::TrecFilter(std::unique_ptr<TemporaryDirectory> directory, const CommandLimits& limits)
    : directory_(std::move(directory)),
      folder_(directory_->path() / "filter"),
      runner_(folder_, limits, directory_->interrupts()),
      bytes_before_(BytesOnDisk(folder_)) {}

Result<void> TrecFilter::Initialize() {
  if (auto ran = Call(FilterCommand::kInitialize, "", {}); !ran) return tl::unexpected(ran.error());
  return {};
}

Result<Answer> TrecFilter::Classify(const std::string& file) {
  const auto output = Call(FilterCommand::kClassify, file, {file});
  if (!output) return tl::unexpected(output.error());
  if (!*output) return Answer{};
  auto answer = ParseAnswer(**output);
  if (answer) return *std::move(answer);
  Note(FilterCommand::kClassify, answer.error(),
       fmt::format("classify {}: {}: {:.60}", file, NameOf(answer.error()), FirstLine(**output)));
  return Answer{};
}

Result<void> TrecFilter::Train(bool spam, const std::string& file, std::string_view verdict,
                               const std::string& auxiliary) {
  auto ran =
      Call(FilterCommand::kTrain, file, {spam ? "spam" : "ham", file, std::string(verdict), auxiliary});
  if (!ran) return tl::unexpected(ran.error());
  return {};
}

Result<void> TrecFilter::Finalize() {
  if (auto ran = Call(FilterCommand::kFinalize, "", {}); !ran) return tl::unexpected(ran.error());
  runner_.EndAll();
  return {};
}

uint64_t TrecFilter::StateBytes() const {
  const uint64_t now = BytesOnDisk(folder_);
  return now > bytes_before_ ? now - bytes_before_ : 0;
}

Result<tl::expected<std::string, Failure>> TrecFilter::Call(FilterCommand command, const std::string& file,
                                                            const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {(folder_ / NameOf(command)).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto ended = runner_.Run(words);
  if (!ended) return tl::unexpected(ended.error());
  records_[static_cast<size_t>(command)].seconds.push_back(static_cast<float>(ended->seconds));
  const std::optional<Fault> fault = FaultOf(*ended);
  if (!fault) return std::move(ended->out);
  const std::string of = file.empty() ? "" : " " + file;
  const std::string said = FirstLine(ended->complaint);
  Note(command, fault->kind,
       fmt::format("{}{}: {}{}{}", NameOf(command), of, fault->what, said.empty() ? "" : ": ", said));
  return tl::unexpected(fault->kind);
}

void TrecFilter::Note(FilterCommand command, Failure failure, const std::string& what) {
  CommandRecord& record = records_[static_cast<size_t>(command)];
  ++record.failures[static_cast<size_t>(failure)];
  if (record.first_failure.empty()) record.first_failure = what;
}

}  // namespace thresher::pipeline

#include "pipeline/commands/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "eval/number.h"

namespace thresher::pipeline {

void ModelFlags::AddTo(CLI::App* command) {
  command->add_option("--config", config_,
                      "Configuration file (default: thresher/config.yaml in the XDG configuration folder)");
  AddSetting(
      command, "--preset", "preset",
      "Values for several settings at once: default, sparse, …; `thresher config --presets` prints them");
  AddSetting(command, "--store", "store.path",
             "Directory of the store (default: thresher/ in the XDG data folder)");
  AddSetting(command, "--model", "store.model", "Name of the model inside the store (default: default)");
  command->add_option("--set", set_, "KEY=VALUE: any setting that `thresher config` prints; may be repeated")
      ->allow_extra_args(false);
}

void ModelFlags::AddUser(CLI::App* command) {
  AddSetting(command, "--user", "store.user", "Whose mail it is, where one model serves many users");
}

void ModelFlags::AddSetting(CLI::App* command, const std::string& flag, std::string key,
                            const std::string& description) {
  flags_.push_back({std::move(key), ""});
  command->add_option(flag, flags_.back().value, description);
}

Result<Settings> ModelFlags::Resolve() const {
  Result<Settings> settings = LoadSettings(config_);
  if (!settings) return settings;
  std::vector<std::string> assignments;
  for (const Flag& flag : flags_) {
    if (!flag.value.empty()) assignments.push_back(flag.key + "=" + flag.value);
  }
  assignments.insert(assignments.end(), set_.begin(), set_.end());
  for (const std::string& assignment : assignments) {
    if (auto done = settings->Assign(assignment); !done) return tl::unexpected(done.error());
  }
  if (auto valid = settings->Validate(); !valid) return tl::unexpected(valid.error());
  return settings;
}

CLI::Validator WholeNumber(uint64_t most) {
  const auto check = [most](const std::string& text) -> std::string {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value <= most) return {};
    return fmt::format("{} is not a whole number from 0 to {}", text, most);
  };
  return {check, "0…"};
}

CLI::Validator Fraction() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> value = eval::ReadNumber(text);
    if (value && *value >= 0 && *value <= 1) return {};
    return text + " is not a number from 0 to 1";
  };
  return {check, "0…1"};
}

void InputFlags::AddTo(CLI::App* command) {
  command
      ->add_option("PATH", paths,
                   "Files, directories, Maildirs or mboxes, plain or compressed by gzip, bzip2, xz or zstd; "
                   "- is standard input")
      ->capture_default_str();
  command->add_option("--format", format, "What a PATH holds: auto, message (one), mbox")
      ->check(CLI::IsMember({"auto", "message", "mbox"}))
      ->capture_default_str();
  command->add_flag("--document", document, "The messages are plain text without mail headers");
}

Result<size_t> InputFlags::ForEach(const std::function<Result<void>(const RawMessage&)>& visit) const {
  const Format wanted = format == "message" ? Format::kMessage
                        : format == "mbox"  ? Format::kMbox
                                            : Format::kAuto;
  size_t unreadable = 0;
  RawMessage message;
  for (const std::string& path : paths) {
    auto source = OpenSource(path, wanted);
    if (!source) {
      Fail(source.error());
      ++unreadable;
      continue;
    }
    while (true) {
      const Result<bool> more = (*source)->Next(&message);
      if (!more) {
        Fail(more.error());
        ++unreadable;
        continue;
      }
      if (!*more) break;
      if (auto visited = visit(message); !visited) return tl::unexpected(visited.error());
    }
  }
  return unreadable;
}

int Fail(const Error& error) {
  // One line, whatever names and texts of others are in it.
  std::string line = "thresher: " + error.message;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
  line += '\n';
  // Not fmt::print, which throws where nobody reads what we say.
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
  return error.exit_code;
}

namespace {

// What became of standard output. errno is that of the write that failed.
int Written(int exit_code) {
  std::cout.flush();
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!failed) return exit_code;
  if (errno == EPIPE) return kIo;
  return Fail({kIo, fmt::format("writing to standard output failed: {}", std::strerror(errno))});
}

}  // namespace

int Run(const std::function<Result<int>()>& body) {
  try {
    const Result<int> code = body();
    if (!code) return Fail(code.error());
    return Written(*code);
  } catch (const std::bad_alloc&) {
    return Fail({kInternal, "there is not enough memory"});
  } catch (const std::exception& fault) {
    const bool unheard = std::ferror(stdout) != 0 || std::ferror(stderr) != 0;
    if (unheard) return Written(kIo);  // that is what fmt::print threw
    return Fail({kInternal, fault.what()});
  }
}

}  // namespace thresher::pipeline

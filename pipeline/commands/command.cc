#include "pipeline/commands/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

// The first sentence of the setting's help, and its key.
std::string FlagHelp(const schema::OptionSpec& setting) {
  const std::string_view sentence = setting.help.substr(0, setting.help.find(". "));
  const bool has_dot = sentence.ends_with('.');
  return fmt::format("{} ({})", sentence.substr(0, sentence.size() - (has_dot ? 1 : 0)), setting.name);
}

// A range as it stands in the help of a flag: "0..1", ">0".
std::string ShortRange(const schema::OptionSpec& option) {
  if (option.min_excluded) return fmt::format(">{}", option.min);
  if (option.min <= -schema::kNoLimit) return {};
  return fmt::format("{}..{}", option.min, option.max < UINT32_MAX ? fmt::format("{}", option.max) : "");
}

}  // namespace

void ModelFlags::AddTo(CLI::App* command) {
  command->add_option("--config", config_,
                      "Configuration file (default: thresher/config.yaml in the XDG configuration folder)");
  AddSetting(command, "--preset", "preset",
             "Values for several settings at once; `thresher config --presets` lists the presets");
  AddSetting(command, "--store", "store.path",
             "Directory of the store (default: thresher in the XDG data folder)");
  AddSetting(command, "--model", "store.model", "Name of the model in the store (default: default)");
  command->add_option("--set", set_, "KEY=VALUE: any setting that `thresher config` prints; may be repeated")
      ->allow_extra_args(false);
}

void ModelFlags::AddUser(CLI::App* command) { AddSetting(command, "--user", "store.user"); }

void ModelFlags::AddSetting(CLI::App* command, const std::string& flag, const std::string& key,
                            const std::string& description) {
  const schema::OptionSpec& setting = FindSetting(key)->option;
  flags_.push_back({key, ""});
  CLI::Option* const option =
      command->add_option(flag, flags_.back().value, description.empty() ? FlagHelp(setting) : description);
  const bool is_number = setting.choices.empty() && setting.type == schema::OptionType::kNumber;
  if (is_number) option->type_name("NUMBER");
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

CLI::Validator Takes(const schema::OptionSpec& option) {
  const auto check = [option](std::string& text) -> std::string {
    const std::optional<std::string> canonical = option.Canonical(text);
    if (!canonical) return option.Mismatch(text);
    text = *canonical;
    return {};
  };
  return {check, ShortRange(option)};
}

CLI::Validator WholeNumber(uint64_t most, uint64_t least) {
  return Takes({.min = static_cast<double>(least), .max = static_cast<double>(most), .whole = true});
}

CLI::Validator Fraction(double most) { return Takes({.min = 0, .max = most}); }

CLI::Validator OneOf(std::vector<std::string_view> words) {
  const auto check = [words](const std::string& text) -> std::string {
    const schema::OptionSpec option = {.choices = words};
    return option.Canonical(text) ? std::string() : option.Mismatch(text);
  };
  return {check, fmt::format("{{{}}}", fmt::join(words, ","))};
}

void InputFlags::AddTo(CLI::App* command) {
  command
      ->add_option(
          "PATH", paths,
          "Files, directories, Maildirs or mboxes, plain or compressed with gzip, bzip2, xz or zstd; "
          "- is standard input")
      ->capture_default_str();
  command->add_option("--format", format, "Format of each PATH: one message, an mbox, or auto to detect it")
      ->check(OneOf({"auto", "message", "mbox"}))
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

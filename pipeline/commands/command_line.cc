#include "pipeline/commands/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <type_traits>
#include <utility>

#include "pipeline/commands/command_line_text.h"
#include "pipeline/commands/running.h"
#include "pipeline/commands/value_marks.h"
#include "schema/nearest_word.h"

namespace thresher::pipeline {
struct CommandLineState {
  struct FileFlag {
    const CLI::Option* option;
    bool is_written;
    bool is_whole = false;
  };

  CLI::App app;
  int exit_code = 0;
  std::map<const CLI::App*, std::string> if_none = {};     // by group
  std::map<const CLI::App*, std::string> instead_of = {};  // an argument, by command
  std::map<const CLI::Option*, FlagTarget> targets = {};
  ExpectedValues expected = {};
  std::map<const CLI::App*, std::vector<FileFlag>> files = {};  // by command
  std::map<const CLI::App*, std::function<std::vector<NamedFile>()>> reads_too = {};
};

namespace {

std::vector<std::string> PathsIn(const FlagTarget& target) {
  if (const auto* const paths = std::get_if<std::vector<std::string>*>(&target)) return **paths;
  const std::string& path = *std::get<std::string*>(target);
  return path.empty() ? std::vector<std::string>() : std::vector{path};
}

// REQUIRES: the words are parsed.
std::string ClashOf(const CommandLineState& state, const CLI::App* command) {
  std::vector<NamedFile> read;
  std::vector<NamedFile> written;
  const auto files = state.files.find(command);
  if (files == state.files.end()) return {};
  for (const auto& [option, is_written, is_whole] : files->second) {
    for (const std::string& path : PathsIn(state.targets.at(option)))
      (is_written ? written : read).push_back({option->get_name(), path, is_whole});
  }
  const auto more = state.reads_too.find(command);
  if (more != state.reads_too.end() && !written.empty())
    std::ranges::move(more->second(), std::back_inserter(read));
  return FindClash(read, written);
}

// Which words the first argument takes that is required and missing: ": expected one of status". Empty if it
// takes any.
std::string WordsOfMissing(const CLI::App& command) {
  const auto options = command.get_options();
  const auto missing = std::ranges::find_if(
      options, [](const auto* option) { return option->get_required() && option->count() == 0; });
  if (missing == options.end()) return {};
  const std::vector<std::string> words = DescribeFlag(**missing).words;
  return words.empty() ? std::string() : fmt::format(": expected one of {}", fmt::join(words, ", "));
}

// `unknown` begin with a dash. A flag of the command that is asked for is unknown only in front of it.
std::string ComplaintOfFlags(const CLI::App& app, const std::vector<std::string>& unknown) {
  const auto asked = app.get_subcommands();
  const CommandText command = DescribeCommand(asked.empty() ? app : *asked.front());
  std::vector<std::string> known;
  for (const FlagGroupText& group : command.groups)
    for (const FlagText& flag : group.flags) std::ranges::copy(flag.names, std::back_inserter(known));
  const std::string name = unknown.front().substr(0, unknown.front().find('='));
  if (!asked.empty() && std::ranges::find(known, name) != known.end()) {
    return fmt::format("{0} belongs behind the command: `{1} {2} {0} ...`", name, app.get_name(),
                       command.name);
  }
  return CLI::ExtrasError(unknown).what() + schema::DidYouMean(name, known);
}

// What is wrong with the words, in the words of the command that they name if it has any.
std::string Complaint(const CommandLineState& state, const CLI::ParseError& error) {
  std::vector<std::string> unknown = state.app.remaining(/*recurse=*/true);
  const auto dashes = std::stable_partition(unknown.begin(), unknown.end(),
                                            [](auto& word) { return !word.starts_with('-'); });
  // An unknown option may be the one that is missing, misspelt.
  if (dashes != unknown.end()) return ComplaintOfFlags(state.app, {dashes, unknown.end()});
  std::ranges::transform(unknown, unknown.begin(), Unmarked);
  std::ranges::replace(unknown, std::string(), std::string("''"));
  const auto is = [&](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  const bool is_missing = is(CLI::ExitCodes::RequiredError);
  if (!is_missing && !is(CLI::ExitCodes::ExtrasError)) return error.what();
  for (const CLI::App* command : state.app.get_subcommands()) {
    const auto instead = state.instead_of.find(command);
    if (!unknown.empty() && instead != state.instead_of.end())
      return fmt::format("{}: {}", unknown.front(), instead->second);
    for (const CLI::App* group : command->get_subcommands(nullptr)) {
      const auto if_none = state.if_none.find(group);
      const auto options = group->get_options();
      const bool is_none = std::ranges::all_of(options, [](auto* option) { return option->count() == 0; });
      if (is_missing && is_none && if_none != state.if_none.end()) return if_none->second;
    }
    if (is_missing) return error.what() + WordsOfMissing(*command);
  }
  return unknown.empty() ? error.what() : CLI::ExtrasError(unknown).what();
}

}  // namespace

Flag Flag::Check(const FlagCheck& check) {
  option_->transform(CLI::Validator(check.mismatch, check.range));
  if (!check.expected.empty()) state_->expected[option_] = check.expected;
  return *this;
}

Flag Flag::Require() {
  option_->required();
  return *this;
}

Flag Flag::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Flag Flag::OneValueEachTime() {
  option_->allow_extra_args(false);
  return *this;
}

Flag Flag::AtLeast(int number) {
  option_->expected(number, -1);
  return *this;
}

Flag Flag::TakeAnyNumber() {
  option_->expected(0, -1);
  return Check(NotEmpty());
}

Flag Flag::Excludes(std::initializer_list<const char*> names) {
  for (const char* const name : names) option_->excludes(command_->get_option(name));
  return *this;
}

Flag Flag::Needs(const std::string& name) {
  option_->needs(command_->get_option(name));
  return *this;
}

Flag Flag::Reads() {
  state_->files[command_].push_back({option_, /*is_written=*/false});
  return *this;
}

Flag Flag::Writes() {
  state_->files[command_].push_back({option_, /*is_written=*/true});
  return *this;
}

Flag Flag::WritesWhole() {
  state_->files[command_].push_back({option_, /*is_written=*/true, /*is_whole=*/true});
  return *this;
}

Flag Flag::Describe(const std::string& help) {
  option_->description(help);
  return *this;
}

Flag Flag::NameValue(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Flag FlagGroup::Add(const std::string& name, FlagTarget target, const std::string& help) {
  const auto add = [&](auto* variable) {
    if constexpr (std::is_same_v<decltype(variable), bool*>) {
      return group_->add_flag(name, *variable, help);
    } else {
      return group_->add_option(name, *variable, help);
    }
  };
  CLI::Option* const option = std::visit(add, target);
  state_->targets.insert_or_assign(option, target);
  return {command_, option, state_};
}

void FlagGroup::RequireOne(const std::string& if_none) {
  group_->require_option(1);
  state_->if_none[group_] = if_none;
}

void FlagGroup::RequireAny(const std::string& if_none) {
  group_->require_option(1, 0);
  state_->if_none[group_] = if_none;
}

void Command::Footer(const std::string& text) { command_->footer(text); }

FlagGroup Command::AddGroup(const std::string& name, const std::string& help) {
  return {command_, command_->add_option_group(name, help), state_};
}

Flag Command::Find(const std::string& name) { return {command_, command_->get_option(name), state_}; }

void Command::Remove(const std::string& name) { command_->remove_option(command_->get_option(name)); }

void Command::ReadsToo(std::function<std::vector<NamedFile>()> what) {
  state_->reads_too[command_] = std::move(what);
}

void Command::RefuseArgument(const std::string& instead) { state_->instead_of[command_] = instead; }

void Command::SetBody(std::function<Result<int>()> body, int (*exit_code)(int)) {
  command_->callback([body = std::move(body), exit_code, command = command_, state = state_] {
    if (const std::string clash = ClashOf(*state, command); !clash.empty())
      throw CLI::ParseError(clash, CLI::ExitCodes::ValidationError);
    const int code = pipeline::Run(body);
    state->exit_code = exit_code == nullptr ? code : exit_code(code);
  });
}

CommandLine::CommandLine(const Program& program)
    : state_(new CommandLineState{.app = CLI::App(program.help, program.name)}) {
  state_->app.formatter(MakeHelpFormatter());
  state_->app.set_version_flag("--version", program.version);
  state_->app.require_subcommand(0, 1);
  state_->app.footer(program.footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::Add(const std::string& name, const std::string& help) {
  return {state_->app.add_subcommand(name, help), state_.get()};
}

std::vector<std::string> CommandLine::Names() const {
  std::vector<std::string> names;
  for (const CLI::App* command : std::as_const(state_->app).get_subcommands(nullptr))
    names.push_back(command->get_name());
  return names;
}

ProgramText CommandLine::Describe() const {
  ProgramText text{.program = DescribeCommand(state_->app, state_->expected), .commands = {}};
  for (const CLI::App* command : std::as_const(state_->app).get_subcommands(nullptr))
    text.commands.push_back(DescribeCommand(*command, state_->expected));
  return text;
}

tl::expected<int, std::string> CommandLine::Run(const std::vector<std::string>& words) {
  CLI::App& app = state_->app;
  const auto print = [&](const CLI::Success& wanted) {  // help or version
    return pipeline::Run([&]() -> Result<int> {
      std::ostringstream text;
      const int code = app.exit(wanted, text);
      fmt::print("{}", text.str());
      return code;
    });
  };
  if (words.empty()) return print(CLI::CallForHelp());
  const auto is_asked = [&](const CLI::App* command) { return command->get_name() == words.front(); };
  std::vector<std::string> marked = words;
  for (CLI::App* command : app.get_subcommands(std::function<bool(CLI::App*)>(is_asked))) {
    UnmarkValuesOf(*command);
    marked = MarkValues(*command, words);
  }
  try {
    app.parse(std::vector<std::string>(marked.rbegin(), marked.rend()));
  } catch (const CLI::Success& wanted) {
    return print(wanted);
  } catch (const CLI::ParseError& error) {
    return tl::unexpected(Complaint(*state_, error));
  }
  if (app.get_subcommands().empty()) return tl::unexpected(std::string("name a command"));
  return state_->exit_code;
}

}  // namespace thresher::pipeline

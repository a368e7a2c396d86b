#include "pipeline/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <type_traits>
#include <utility>

#include "pipeline/commands/running.h"

namespace thresher::pipeline {

Flag Flag::Check(const FlagCheck& check) {
  option_->transform(CLI::Validator(check.mismatch, check.range));
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

Flag Flag::Count(int least, int most) {
  option_->expected(least, most);
  return *this;
}

Flag Flag::TakeAnyNumber() {
  option_->expected(0, -1);
  return *this;
}

Flag Flag::Excludes(std::initializer_list<const char*> names) {
  for (const char* const name : names) option_->excludes(command_->get_option(name));
  return *this;
}

Flag Flag::Needs(const std::string& name) {
  option_->needs(command_->get_option(name));
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
  return {command_, std::visit(add, target)};
}

void FlagGroup::RequireOne() { group_->require_option(1); }

void FlagGroup::RequireAny() { group_->require_option(1, 0); }

void Command::Footer(const std::string& text) { command_->footer(text); }

FlagGroup Command::AddGroup(const std::string& name, const std::string& help) {
  return {command_, command_->add_option_group(name, help)};
}

Flag Command::Find(const std::string& name) { return {command_, command_->get_option(name)}; }

void Command::Remove(const std::string& name) { command_->remove_option(command_->get_option(name)); }

void Command::SetBody(std::function<Result<int>()> body, int (*exit_code)(int)) {
  command_->callback([body = std::move(body), exit_code, to = exit_code_] {
    const int code = pipeline::Run(body);
    *to = exit_code == nullptr ? code : exit_code(code);
  });
}

struct CommandLine::State {
  CLI::App app;
  int exit_code = 0;
};

CommandLine::CommandLine(const Program& program)
    : state_(new State{.app = CLI::App(program.help, program.name)}) {
  state_->app.set_version_flag("--version", program.version);
  state_->app.require_subcommand(0, 1);
  state_->app.footer(program.footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::Add(const std::string& name, const std::string& help) {
  return {state_->app.add_subcommand(name, help), &state_->exit_code};
}

std::vector<std::string> CommandLine::Names() const {
  std::vector<std::string> names;
  for (const CLI::App* command : std::as_const(state_->app).get_subcommands(nullptr))
    names.push_back(command->get_name());
  return names;
}

tl::expected<int, std::string> CommandLine::Run(const std::vector<std::string>& words) {
  CLI::App& app = state_->app;
  const auto print = [&](const CLI::Success& wanted) {  // help or version
    return pipeline::Run([&]() -> Result<int> { return app.exit(wanted); });
  };
  if (words.empty()) return print(CLI::CallForHelp());
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& wanted) {
    return print(wanted);
  } catch (const CLI::ParseError& error) {
    // An unknown option may be the one that is missing, misspelt.
    std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
    std::erase_if(unknown, [](const std::string& word) { return !word.starts_with('-'); });
    if (unknown.empty()) return tl::unexpected(std::string(error.what()));
    return tl::unexpected(std::string(CLI::ExtrasError(std::move(unknown)).what()));
  }
  if (app.get_subcommands().empty()) return tl::unexpected(std::string("name a command"));
  return state_->exit_code;
}

}  // namespace thresher::pipeline

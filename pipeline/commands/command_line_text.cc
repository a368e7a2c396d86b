#include "pipeline/commands/command_line_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace thresher::pipeline {
namespace {

// The words of "{pass,tempfail}", which OneOf of flag_check.h writes; none if `range` is no such list.
std::vector<std::string> WordsOf(const std::string& range) {
  if (!range.starts_with('{') || !range.ends_with('}')) return {};
  return CLI::detail::split(range.substr(1, range.size() - 2), ',');
}

FlagGroupText DescribeGroup(const CLI::App& app, const ExpectedValues& expected = {}) {
  FlagGroupText group;
  const bool is_part = app.get_name().empty();  // of a command, which has --help itself
  for (const CLI::Option* option : app.get_options()) {
    if (!is_part || option != app.get_help_ptr()) group.flags.push_back(DescribeFlag(*option, expected));
  }
  group.is_required = is_part && app.get_require_option_min() > 0;
  return group;
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string required;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_required() && option->nonpositional())
        required += fmt::format(" {} {}", option->get_name(), DescribeFlag(*option).value);
    }
    for (const CLI::App* group : app->get_subcommands(nullptr)) {
      const FlagGroupText text = DescribeGroup(*group);
      std::vector<std::string> names;
      for (const FlagText& flag : text.flags) names.push_back(flag.names.back());
      if (text.is_required) required += fmt::format(" {{{}}}", fmt::join(names, "|"));
    }
    return CLI::Formatter::make_usage(app, name + required);
  }
};

}  // namespace

FlagText DescribeFlag(const CLI::Option& option, const ExpectedValues& expected) {
  FlagText flag{.is_argument = !option.nonpositional(),
                .default_value = option.get_default_str(),
                .help = option.get_description(),
                .is_required = option.get_required(),
                .is_repeated = option.get_items_expected_max() > 1};
  flag.names = CLI::detail::split(option.get_name(false, true), ',');
  const std::string type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  const size_t colon = type.find(':');  // the type of the variable, then what FlagCheck says
  flag.value = type.substr(0, colon);
  flag.words = WordsOf(colon == std::string::npos ? type : type.substr(colon + 1));
  if (flag.value == "UINT" || flag.value == "FLOAT") flag.value = "NUMBER";
  if (const auto found = expected.find(&option); found != expected.end()) flag.expected = found->second;
  return flag;
}

CommandText DescribeCommand(const CLI::App& app, const ExpectedValues& expected) {
  CommandText command{.name = app.get_name(),
                      .help = app.get_description(),
                      .footer = app.get_footer(),
                      .groups = {DescribeGroup(app, expected)}};
  for (const CLI::App* group : app.get_subcommands(nullptr)) {
    if (!group->get_name().empty()) continue;
    command.groups.push_back(DescribeGroup(*group, expected));
    command.groups.back().title = group->get_group();
    command.groups.back().help = group->get_description();
  }
  return command;
}

std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace thresher::pipeline

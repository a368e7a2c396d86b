#include "pipeline/commands/manual_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "learners/registry.h"
#include "pipeline/commands/manual_text.h"
#include "pipeline/commands/reference_page.h"
#include "pipeline/settings/presets.h"
#include "pipeline/settings/table.h"
#include "pipeline/version.h"

namespace thresher::pipeline {
namespace {

std::string Head(std::string name, int section, std::string_view summary) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH {} {} {} \"thresher {}\" \"{}\"\n.SH NAME\n{}", upper, section, kReleaseDate,
                     kVersion, section == 1 ? "User Commands" : "File Formats",
                     ManualLine(fmt::format("{} - {}", name, summary)));
}

std::string SeeAlso(std::string_view pages) {
  return fmt::format(
      ".SH SEE ALSO\n{},\n.I share/doc/thresher/docs/index.md\nbelow the prefix of the installation\n",
      pages);
}

// The help of an option, what is allowed, and the default.
std::string Entry(const std::string& head, std::string_view help, std::string_view expected,
                  std::string_view default_value) {
  std::string text(help);
  if (!text.ends_with('.')) text += '.';
  if (!expected.empty()) text += fmt::format(" Expected: {}.", expected);
  if (!default_value.empty()) text += fmt::format(" Default: `{}`.", default_value);
  return fmt::format(".TP\n{}\n{}", head, ManualLine(text));
}

std::string Entry(const FlagText& flag) {
  std::string head;
  for (const std::string& name : flag.names)
    head += (head.empty() ? "" : ", ") + (flag.is_argument ? Italic(name) : Bold(name));
  // The words that a value can be are all there is to know about it.
  if (!flag.words.empty()) {
    head += fmt::format(" {}", Italic(fmt::format("{}", fmt::join(flag.words, "|"))));
  } else if (!flag.is_argument && !flag.value.empty()) {
    head += ' ' + Italic(flag.value);
  }
  return Entry(head, flag.help, flag.expected, flag.default_value);
}

// With a space after each comma, so that a long list can continue on the next line.
std::string Spaced(std::string_view list) {
  std::string spaced;
  for (const char c : list) spaced += c == ',' ? ", " : std::string(1, c);
  return spaced;
}

// As HelpFormatter's: what must be given comes first.
std::string Usage(const CommandText& command, std::string_view name) {
  std::string required;
  std::string arguments;
  for (const FlagGroupText& group : command.groups) {
    std::vector<std::string> choice;
    for (const FlagText& flag : group.flags) {
      choice.push_back(Bold(flag.names.back()));
      const std::string flag_name = flag.names.back() + (flag.is_repeated ? " ..." : "");
      if (flag.is_argument) {
        arguments += flag.is_required ? ' ' + Italic(flag_name) : fmt::format(" [{}]", Italic(flag_name));
      } else if (flag.is_required) {
        required += fmt::format(" {} {}", Bold(flag.names.back()), Italic(flag.value));
      }
    }
    if (group.is_required) required += fmt::format(" {{{}}}", fmt::join(choice, "|"));
  }
  return fmt::format(".SH SYNOPSIS\n.nf\n{}{} [{}]{}\n.fi\n", Bold(name), required, Italic("OPTION"),
                     arguments);
}

std::string Options(const CommandText& command) {
  std::string text;
  for (const FlagGroupText& group : command.groups) {
    if (group.flags.empty()) continue;
    text += group.title.empty() ? ".SH OPTIONS\n" : fmt::format(".SS {}\n", group.title);
    if (!group.help.empty()) text += ManualLine(group.help + '.');
    for (const FlagText& flag : group.flags) text += Entry(flag);
  }
  return text;
}

// The help and the footer. Its last paragraph, which begins with "Exit code", has a section of its own after
// `options`.
std::string Body(std::string description, std::string_view footer, std::string_view options) {
  constexpr std::string_view kExit = "Exit code";
  size_t exit = footer.starts_with(kExit) ? 0 : footer.find("\nExit code");
  exit = std::min(exit, footer.size());
  description += ".\n\n";
  description += footer.substr(0, exit);
  std::string text = ".SH DESCRIPTION\n" + ManualParagraphs(description);
  text += options;
  if (exit < footer.size()) text += ".SH EXIT STATUS\n" + ManualParagraphs(footer.substr(exit));
  return text;
}

}  // namespace

std::string ProgramManual(const ProgramText& program) {
  constexpr std::string_view kName = "thresher: ";  // as --help begins
  std::string_view summary = program.program.help;
  if (summary.starts_with(kName)) summary.remove_prefix(kName.size());
  std::string commands = ".SH COMMANDS\n";
  std::string pages;
  for (const CommandText& command : program.commands) {
    commands += fmt::format(".TP\n{}\n{}", Bold(command.name), ManualLine(command.help + '.'));
    pages += fmt::format("{}(1),\n", Bold("thresher-" + command.name));
  }
  std::string text = Head("thresher", 1, summary);
  text += fmt::format(".SH SYNOPSIS\n.nf\n{} {} [{}] ...\n.fi\n", Bold("thresher"), Italic("COMMAND"),
                      Italic("OPTION"));
  text +=
      Body("thresher " + std::string(summary), program.program.footer, commands + Options(program.program));
  return text + SeeAlso(pages + Bold("thresher.yaml") + "(5)");
}

std::string CommandManual(const CommandText& command) {
  std::string text = Head("thresher-" + command.name, 1, command.help);
  text += Usage(command, "thresher " + command.name);
  text += Body(command.help, command.footer, Options(command));
  return text + SeeAlso(Bold("thresher") + "(1),\n" + Bold("thresher.yaml") + "(5)");
}

std::string SettingsManual() {
  std::string text = Head("thresher.yaml", 5, "configuration of thresher");
  text += ".SH DESCRIPTION\n" + ManualParagraphs(SettingsIntroduction()) + ".SH SETTINGS\n";
  for (const Setting& setting : AllSettings()) {
    const bool is_list = setting.option.type == schema::OptionType::kHeaderNames;
    text += Entry(Bold(setting.key()), setting.option.help, setting.option.Expected(),
                  is_list ? Spaced(DefaultOf(setting)) : DefaultOf(setting));
  }
  text += ".SH PRESETS\n";
  for (const Preset& preset : AllPresets()) {
    std::string values;
    for (const Preset::Value& value : preset.values)
      values += fmt::format("{}`{}={}`", values.empty() ? " Values: " : ", ", value.key, value.text);
    text += fmt::format(".TP\n{}\n{}", Bold(preset.name), ManualLine(std::string(preset.help) + values));
  }
  text += ".SH OPTIONS OF LEARNERS\n";
  for (const learners::LearnerSpec& learner : learners::AllLearners()) {
    text += fmt::format(".SS {}\n{}", learner.name, ManualLine(fmt::format("{}.", learner.summary)));
    for (const schema::OptionSpec& option : learner.options) {
      text += Entry(Bold(fmt::format("{}.{}", kLearnerOptionsKey, option.name)), option.help,
                    option.Expected(), option.default_value);
    }
  }
  return text + SeeAlso(Bold("thresher") + "(1),\n" + Bold("thresher-config") + "(1)");
}

}  // namespace thresher::pipeline

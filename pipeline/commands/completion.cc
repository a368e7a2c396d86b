#include "pipeline/commands/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kOrigin = "Made by `thresher reference`. Do not edit.";

// `text` with `escape` before each of `special`.
std::string Escaped(std::string_view text, std::string_view special, std::string_view escape) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += escape;
    out += c;
  }
  return out;
}

// In single quotes, as bash and zsh read them.
std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + '\'';
}

std::string QuotedForFish(std::string_view text) { return '\'' + Escaped(text, "\\'", "\\") + '\''; }

// What the value of a flag can be; nothing if it can be anything.
std::vector<std::string> WordsFor(const FlagText& flag) {
  if (flag.value != "KEY=VALUE") return flag.words;
  std::vector<std::string> keys;
  for (const Setting& setting : AllSettings()) keys.push_back(fmt::format("{}=", setting.key()));
  return keys;
}

bool TakesValue(const FlagText& flag) { return !flag.value.empty(); }

template <class Visit>
void ForEachFlag(const CommandText& command, const Visit& visit) {
  for (const FlagGroupText& group : command.groups) {
    for (const FlagText& flag : group.flags) {
      if (!flag.is_argument) visit(flag);
    }
  }
}

// What its arguments can be, with a space between two words; empty if they can be anything.
std::string WordsOfArguments(const CommandText& command) {
  std::vector<std::string> all;
  for (const FlagGroupText& group : command.groups) {
    for (const FlagText& flag : group.flags) {
      const std::vector<std::string> words = flag.is_argument ? WordsFor(flag) : std::vector<std::string>();
      all.insert(all.end(), words.begin(), words.end());
    }
  }
  return fmt::format("{}", fmt::join(all, " "));
}

std::vector<std::string> FlagNames(const CommandText& command) {
  std::vector<std::string> names;
  ForEachFlag(command,
              [&](const FlagText& flag) { names.insert(names.end(), flag.names.begin(), flag.names.end()); });
  return names;
}

std::string BashCases(const CommandText& command) {
  std::string cases;
  ForEachFlag(command, [&](const FlagText& flag) {
    if (!TakesValue(flag)) return;
    const std::vector<std::string> words = WordsFor(flag);
    const std::string then = words.empty()
                                 ? "return"
                                 : fmt::format("words={}{}", Quoted(fmt::format("{}", fmt::join(words, " "))),
                                               words.front().ends_with('=') ? "; compopt -o nospace" : "");
    cases += fmt::format("    '{} {}') {} ;;\n", command.name, flag.names.back(), then);
  });
  return cases;
}

// An argument of zsh's _arguments.
std::string ZshArgument(const FlagText& flag) {
  const std::vector<std::string> words = WordsFor(flag);
  const std::string action = words.empty() ? "_files" : fmt::format("({})", fmt::join(words, " "));
  if (flag.is_argument) return Quoted(fmt::format("*:{}:{}", flag.names.back(), action));
  std::string text = fmt::format("{}{}[{}]", flag.is_repeated ? "*" : "", flag.names.back(),
                                 Escaped(flag.help, "[]\\", "\\"));
  if (TakesValue(flag)) text += fmt::format(":{}:{}", Escaped(flag.value, ":\\", "\\"), action);
  return Quoted(text);
}

}  // namespace

std::string BashCompletion(const ProgramText& program) {
  std::vector<std::string> first = FlagNames(program.program);
  std::string values;
  std::string others;
  for (const CommandText& command : program.commands) {
    first.push_back(command.name);
    values += BashCases(command);
    others += fmt::format("        '{} -'*) words={} ;;\n", command.name,
                          Quoted(fmt::format("{}", fmt::join(FlagNames(command), " "))));
    if (const std::string words = WordsOfArguments(command); !words.empty())
      others += fmt::format("        '{} '*) words={} ;;\n", command.name, Quoted(words));
  }
  return fmt::format(
      R"(# Completion of thresher for bash. {}
_thresher() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]-}} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    command=
    before=
  fi
  case "$command $before" in
    ' ') words={} ;;
{}    *)
      case "$command $word" in
{}      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _thresher thresher
)",
      kOrigin, Quoted(fmt::format("{}", fmt::join(first, " "))), values, others);
}

std::string ZshCompletion(const ProgramText& program) {
  std::string names;
  std::string cases;
  for (const CommandText& command : program.commands) {
    names += fmt::format("    {}\n", Quoted(fmt::format("{}:{}", command.name, command.help)));
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const FlagGroupText& group : command.groups) {
      for (const FlagText& flag : group.flags) cases += " \\\n        " + ZshArgument(flag);
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(
      R"(#compdef thresher
# Completion of thresher for zsh. {}
_thresher() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
_thresher "$@"
)",
      kOrigin, names, cases);
}

std::string FishCompletion(const ProgramText& program) {
  std::string text = fmt::format("# Completion of thresher for fish. {}\n", kOrigin);
  text += "complete -c thresher -n __fish_use_subcommand -f\n";
  for (const CommandText& command : program.commands) {
    text += fmt::format("complete -c thresher -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        QuotedForFish(command.help));
  }
  for (const CommandText& command : program.commands) {
    if (const std::string words = WordsOfArguments(command); !words.empty()) {
      text += fmt::format("complete -c thresher -n '__fish_seen_subcommand_from {}' -f -a {}\n", command.name,
                          QuotedForFish(words));
    }
    ForEachFlag(command, [&](const FlagText& flag) {
      const std::vector<std::string> words = WordsFor(flag);
      const std::string value =
          !TakesValue(flag) ? ""
          : words.empty()   ? " -r"
                          : fmt::format(" -x -a {}", QuotedForFish(fmt::format("{}", fmt::join(words, " "))));
      text += fmt::format("complete -c thresher -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n",
                          command.name, flag.names.back().substr(2), value, QuotedForFish(flag.help));
    });
  }
  return text;
}

}  // namespace thresher::pipeline

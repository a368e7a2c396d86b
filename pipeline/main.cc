// The thresher command: one subcommand per file in commands/.
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/commands/command.h"
#include "pipeline/commands/standard_output.h"
#include "pipeline/version.h"
#include "schema/nearest_word.h"

namespace thresher::pipeline {
namespace {

constexpr char kHelp[] =
    "thresher: filters mail, learns from feedback, and keeps a sparse model that people can read";
constexpr char kFooter[] =
    "`thresher COMMAND --help` describes a command. Exit codes, unless a command says otherwise:\n"
    "0 success, 64 wrong usage, 65 bad data, 66 missing input, 70 internal fault, 73 cannot create an\n"
    "output, 74 reading or writing failed, 75 busy, 78 wrong configuration.";

// A file opened where standard input or output is closed would take its number, and what is meant for the
// terminal would be written into it. What holds the place fails each read or write as a closed one does.
void HoldStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// Gives memory from this size on back to the system when it is freed. Otherwise the heap takes in buffers of
// up to 32 MiB, once one of that size was freed, and keeps their memory.
void ReturnLargeBuffers() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

using Words = std::vector<std::string>;  // of the command line, without the program's name

// What is wrong with the first word; empty if it is a command or a flag, or not there.
std::string WrongCommand(const std::vector<std::string>& names, const Words& words) {
  if (words.empty() || words.front().starts_with('-') ||
      std::find(names.begin(), names.end(), words.front()) != names.end())
    return {};
  return fmt::format("there is no command '{}'{}", words.front(), schema::DidYouMean(words.front(), names));
}

bool AsksForTempfail(const Words& words) {
  const auto flag = std::find(words.begin(), words.end(), "--on-error");
  return (flag != words.end() && flag + 1 != words.end() && flag[1] == "tempfail") ||
         std::find(words.begin(), words.end(), "--on-error=tempfail") != words.end();
}

// A wrong command line of `filter` must not lose the mail on standard input: it is passed on. At a terminal
// there is none.
int Misused(const Words& words, const std::string& complaint) {
  const bool is_command = !words.front().starts_with('-');
  const int code = Fail(
      {kUsage, fmt::format("{}; see `thresher{} --help`", complaint, is_command ? " " + words.front() : "")});
  const bool has_mail = std::find(words.begin(), words.end(), "filter") != words.end();
  if (!has_mail || ::isatty(STDIN_FILENO) != 0) return code;
  return PassMailOn(complaint, AsksForTempfail(words));
}

struct AnyCommand {
  std::string_view title;  // its name with a capital letter
  void (*add)(CommandLine& line);

  bool Has(std::string_view name) const {
    return name.size() == title.size() && name.substr(1) == title.substr(1) && name[0] == (title[0] | 0x20);
  }
};

// Adds the command that the words ask for. Adds all, which takes longer than to filter a message, if they ask
// for none, or for what says something of all.
void AddCommands(const Words& words, CommandLine* line) {
#define THRESHER_COMMAND(Name) {#Name, Add##Name},
  constexpr AnyCommand kAll[] = {THRESHER_COMMANDS(THRESHER_COMMAND)};
#undef THRESHER_COMMAND
  if (!words.empty() && words.front() != "reference") {
    const auto* const asked = std::ranges::find_if(kAll, [&](auto& each) { return each.Has(words.front()); });
    if (asked != std::end(kAll)) return asked->add(*line);
  }
  for (const AnyCommand& each : kAll) each.add(*line);
}

// `thresher help COMMAND` is `thresher COMMAND --help`.
Words WithoutHelp(const Words& words) {
  if (words.empty() || words.front() != "help") return words;
  Words asked(words.begin() + 1, words.end());
  asked.emplace_back("--help");
  return asked;
}

int Main(const Words& given) {
  const Words words = WithoutHelp(given);
  CommandLine line(
      {.name = "thresher", .version = std::string("thresher ") + kVersion, .help = kHelp, .footer = kFooter});
  AddCommands(words, &line);
  if (std::string wrong = WrongCommand(line.Names(), words); !wrong.empty()) {
    return Fail({kUsage, wrong + "; `thresher --help` lists the commands"});
  }
  const auto code = line.Run(words);
  return code ? *code : Misused(words, code.error());
}

}  // namespace
}  // namespace thresher::pipeline

namespace {

// Ends the process. The exit handlers of the libraries would free all that they hold, which takes longer than
// to judge a message; under a sanitizer they have to run, since it looks for leaks then.
int End(int code) {
#ifndef THRESHER_SANITIZED
  std::fflush(nullptr);
  ::_exit(code);
#endif
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  thresher::pipeline::HoldStandardStreams();
  thresher::pipeline::ReturnLargeBuffers();
  thresher::pipeline::WaitOnStandardOutput();
  // A reader that goes away shows as a failed write, with an exit code, not as a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return End(thresher::pipeline::Main({argv + std::min(argc, 1), argv + argc}));
  } catch (...) {  // commands report what they throw
    static_cast<void>(std::fputs("thresher: out of memory\n", stderr));
    return thresher::pipeline::kInternal;
  }
}

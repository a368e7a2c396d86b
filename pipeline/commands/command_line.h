// The command line as commands describe it: their flags, what these take, and the body that runs.
//
// Called by main.cc, by each command, and by the groups of flags that several commands share. CLI11 reads the
// words and writes the help. Only command_line.cc and two files that it uses, command_line_text.cc and
// value_marks.h, include it: it takes seconds to compile in every file that does. Command, FlagGroup and Flag
// are plain values that refer to a CommandLine, which must outlive them. A mistake in a description, such as
// a name that is not there, throws when the program starts. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "pipeline/commands/file_clash.h"
#include "pipeline/commands/flag_check.h"
#include "pipeline/commands/program_text.h"
#include "pipeline/error.h"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
class Option;
}  // namespace CLI

namespace thresher::pipeline {

struct CommandLineState;  // of command_line.cc

// A flag, "--top", with or without a value; or an argument, "PATH".
class Flag {
 public:
  Flag Check(const FlagCheck& check);
  Flag Require();
  // The help shows the present value.
  Flag ShowDefault();
  // May be given several times, with one value each time.
  Flag OneValueEachTime();
  // This number of values or more.
  Flag AtLeast(int number);
  // Any number of values, of which none may be "". Given without one, it has the value "".
  Flag TakeAnyNumber();
  // Not together with any of these.
  Flag Excludes(std::initializer_list<const char*> names);
  // Only together with this one.
  Flag Needs(const std::string& name);
  Flag Describe(const std::string& help);
  // Its values name files that the command reads, or one that it writes; "-" is standard input or output. A
  // command that would write what it reads, or two outputs into one file, does not run (file_clash.h).
  Flag Reads();
  Flag Writes();
  // The same of a file that is written as a whole (terminal/whole_file.h).
  Flag WritesWhole();
  // What the help calls its value, instead of the type of the variable.
  Flag NameValue(const std::string& name);

 private:
  friend class FlagGroup;
  friend class Command;
  Flag(CLI::App* command, CLI::Option* option, CommandLineState* state)
      : command_(command), option_(option), state_(state) {}

  CLI::App* command_;
  CLI::Option* option_;
  CommandLineState* state_;
};

// The variable that a flag writes: a bool for one without a value, a vector for one with several.
using FlagTarget =
    std::variant<bool*, std::string*, std::filesystem::path*, uint64_t*, double*, std::optional<uint64_t>*,
                 std::optional<double>*, std::vector<std::string>*, std::vector<double>*>;

// Flags of a command that its help shows together.
class FlagGroup {
 public:
  Flag Add(const std::string& name, FlagTarget target, const std::string& help);
  // Exactly one of the group's flags must be given. `if_none` is the complaint if none is.
  void RequireOne(const std::string& if_none);
  // At least one.
  void RequireAny(const std::string& if_none);

 protected:
  friend class Command;
  FlagGroup(CLI::App* command, CLI::App* group, CommandLineState* state)
      : command_(command), state_(state), group_(group) {}

  CLI::App* command_;
  CommandLineState* state_;

 private:
  CLI::App* group_;
};

class Command : public FlagGroup {
 public:
  // Text below the help.
  void Footer(const std::string& text);
  FlagGroup AddGroup(const std::string& name, const std::string& help);
  // A flag that was added before, in a group or not.
  Flag Find(const std::string& name);
  // `name` is in no group and names no file.
  void Remove(const std::string& name);
  // What it reads that is known only once its words are parsed: taken for values of Flag::Reads.
  void ReadsToo(std::function<std::vector<NamedFile>()> what);
  // What to do instead, said to those who give an argument that the command does not take.
  void RefuseArgument(const std::string& instead);

  // The command's body, which Run of running.h runs. Returns the flags that body is given, for Add to write.
  // The exit code is what exit_code makes of Run's.
  template <class Flags>
  Flags& Runs(Result<int> (*body)(const Flags&), int (*exit_code)(int) = nullptr) {
    const auto flags = std::make_shared<Flags>();
    SetBody([body, flags] { return body(*flags); }, exit_code);
    return *flags;
  }

 private:
  friend class CommandLine;
  Command(CLI::App* command, CommandLineState* state) : FlagGroup(command, command, state) {}
  void SetBody(std::function<Result<int>()> body, int (*exit_code)(int));
};

class CommandLine {
 public:
  struct Program {
    std::string name;
    std::string version;  // as --version prints it
    std::string help;
    std::string footer;  // also of commands without one of their own
  };
  explicit CommandLine(const Program& program);
  ~CommandLine();

  // The help lists commands in the order in which they were added.
  Command Add(const std::string& name, const std::string& help);
  std::vector<std::string> Names() const;
  // All that the help of the program and of its commands says.
  ProgramText Describe() const;

  // Runs the command that the words (without the program's name) ask for and returns its exit code. Prints
  // the help or the version instead if they ask for that; the help if there are none. An error says what is
  // wrong with the words; then nothing has run. Values reach the command as they are given, whatever they
  // look like. After "--" all words are arguments.
  tl::expected<int, std::string> Run(const std::vector<std::string>& words);

 private:
  std::unique_ptr<CommandLineState> state_;
};

}  // namespace thresher::pipeline

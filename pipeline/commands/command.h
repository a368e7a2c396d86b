// The shape of a command of the command line, and the flags that mean the same in all of them.
//
// Used by each command, which is one file with one Add… function, and by main.cc. A command prints its
// result to standard output and its errors to standard error, and returns its exit code. Thread-safety: one
// thread.
#pragma once

#include <functional>
#include <list>
#include <string>
#include <vector>

#include "pipeline/commands/command_line.h"
#include "pipeline/commands/flag_check.h"
#include "pipeline/commands/running.h"
#include "pipeline/error.h"
#include "pipeline/input/input_reader.h"
#include "pipeline/settings/settings.h"
#include "schema/option.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

// All commands, in the order of `thresher --help`. To add one: a file here, a line in this list.
#define THRESHER_COMMANDS(COMMAND) \
  COMMAND(Filter)                  \
  COMMAND(Classify)                \
  COMMAND(Learn)                   \
  COMMAND(Feedback)                \
  COMMAND(Serve)                   \
  COMMAND(Cluster)                 \
  COMMAND(Doubt)                   \
  COMMAND(Forget)                  \
  COMMAND(Rebuild)                 \
  COMMAND(Regret)                  \
  COMMAND(Replay)                  \
  COMMAND(Grid)                    \
  COMMAND(Fit)                     \
  COMMAND(Jig)                     \
  COMMAND(Eval)                    \
  COMMAND(Fuse)                    \
  COMMAND(Vocab)                   \
  COMMAND(Explain)                 \
  COMMAND(Stats)                   \
  COMMAND(Check)                   \
  COMMAND(Backup)                  \
  COMMAND(Export)                  \
  COMMAND(Import)                  \
  COMMAND(Generate)                \
  COMMAND(Learners)                \
  COMMAND(Config)                  \
  COMMAND(Reference)

// Each adds one command.
#define THRESHER_DECLARE(Name) void Add##Name(CommandLine& line);
THRESHER_COMMANDS(THRESHER_DECLARE)
#undef THRESHER_DECLARE

// The configuration file and the flags that stand for settings: --config, --preset, --set, --store, --model.
// Values are checked by the settings table, so that a flag takes what its setting takes.
class ModelFlags {
 public:
  void AddTo(Command command);
  // --user, for commands that are given messages.
  void AddUser(Command command);
  // One more flag that stands for the setting `key`. Without a description, it has that of the setting.
  void AddSetting(Command command, const std::string& flag, const std::string& key,
                  const std::string& description = {});

  // The configuration with these flags over it: --preset first, --set last.
  Result<Settings> Resolve() const;
  // --config and --set, that give any command the settings of these flags.
  std::vector<std::string> Words() const;

 private:
  struct Assignment {
    std::string key;
    std::string value;  // kNotGiven if it is not given: "" is a value
  };

  std::vector<std::string> Assignments() const;

  std::string config_;
  std::list<Assignment> flags_;  // addresses hold
  std::vector<std::string> set_;
};

// The error of a command that has nothing to do without a message (kNoInput).
Error NoMessage();

// The messages of a command: files, directories, Maildirs, mboxes, or "-"; and their format.
struct InputFlags {
  std::vector<std::string> paths = {"-"};
  std::string format = "auto";
  bool document = false;
  bool insist = false;   // take what is no mail for mail
  bool verbose = false;  // name every file that is skipped

  void AddTo(Command command);
  tokenizer::Kind kind() const { return document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail; }
  InputForm form() const;
  // Calls visit for each message that an InputReader of the paths finds, which leaves out what lies at the
  // places left_out. An error of visit ends the run.
  Result<InputTally> ForEach(const std::function<Result<void>(const RawMessage&)>& visit,
                             const std::vector<std::string>& left_out = {}) const;
};

// Called by main.cc if the command line of `filter` is wrong: writes the message with an Error header that
// says `complaint`. Returns the exit code.
int PassMailOn(const std::string& complaint, bool tempfail);

}  // namespace thresher::pipeline

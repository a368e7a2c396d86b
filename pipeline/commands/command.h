// The shape of a command of the command line, and the flags that mean the same in all of them.
//
// Each command is one file with one Add… function. A command prints its result to standard output and its
// errors to standard error, and returns its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/input/source.h"
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
  COMMAND(Config)

// Each adds one subcommand; when it was asked for, its exit code is written to *exit_code.
#define THRESHER_DECLARE(Name) void Add##Name(CLI::App& app, int* exit_code);
THRESHER_COMMANDS(THRESHER_DECLARE)
#undef THRESHER_DECLARE

// The configuration file and the flags that stand for settings: --config, --preset, --set, --store, --model.
// Values are checked by the settings table, so that a flag takes what its setting takes.
class ModelFlags {
 public:
  void AddTo(CLI::App* command);
  // --user, for commands that are given messages.
  void AddUser(CLI::App* command);
  // One more flag that stands for the setting `key`. Without a description, it has that of the setting.
  void AddSetting(CLI::App* command, const std::string& flag, const std::string& key,
                  const std::string& description = {});

  // The configuration with these flags over it: --preset first, --set last.
  Result<Settings> Resolve() const;

 private:
  struct Flag {
    std::string key;
    std::string value;
  };

  std::string config_;
  std::list<Flag> flags_;  // addresses hold
  std::vector<std::string> set_;
};

// Checks of a flag's text by the schema, as settings and learners' options are checked. Numbers are passed on
// in their canonical form: use these with transform().
CLI::Validator Takes(const schema::OptionSpec& option);
CLI::Validator WholeNumber(uint64_t most = UINT32_MAX, uint64_t least = 0);
CLI::Validator Fraction(double most = 1);
CLI::Validator OneOf(std::vector<std::string_view> words);

// The messages of a command: files, directories, Maildirs, mboxes, or "-"; and their format.
struct InputFlags {
  std::vector<std::string> paths = {"-"};
  std::string format = "auto";
  bool document = false;

  void AddTo(CLI::App* command);
  tokenizer::Kind kind() const { return document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail; }
  // Calls visit for each message. A message that cannot be read is reported to standard error and counted,
  // and the next one follows. An error of visit ends the run. Returns the number of unreadable messages.
  Result<size_t> ForEach(const std::function<Result<void>(const RawMessage&)>& visit) const;
};

// Prints "thresher: MESSAGE" to standard error, if possible; returns the exit code. Never throws.
int Fail(const Error& error);

// Runs a command's body, which returns an exit code, and reports its error. If output could not be written,
// that is an error (kIo), reported unless the reader closed the pipe.
int Run(const std::function<Result<int>()>& body);

// Used by `filter` if the command line is wrong: writes the message with an Error header that says
// `complaint`. Returns the exit code.
int PassMailOn(const std::string& complaint, bool tempfail);

}  // namespace thresher::pipeline

// The shape of a command of the command line, and the flags that mean the same in all of them.
//
// Each command is one file with one Add… function, listed in main.cc. A command prints its result to standard
// output, its complaints to standard error, and says its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/input/source.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

// Adds one subcommand; when it was asked for, its exit code is written to *exit_code.
using AddCommand = void(CLI::App& app, int* exit_code);

AddCommand AddBackup, AddCheck, AddClassify, AddConfig, AddEval, AddExplain, AddExport, AddFeedback,
    AddFilter, AddFit, AddFuse, AddGenerate, AddGrid, AddImport, AddJig, AddLearn, AddLearners, AddRebuild,
    AddRegret, AddReplay, AddStats, AddVocab;

// The configuration file and the flags that stand for settings: --config, --preset, --set, --store, --model.
// Values are checked by the settings table, so that a flag takes what its setting takes.
class ModelFlags {
 public:
  void AddTo(CLI::App* command);
  // --user, for commands that are given messages.
  void AddUser(CLI::App* command);
  // One more flag that stands for the setting `key`.
  void AddSetting(CLI::App* command, const std::string& flag, std::string key,
                  const std::string& description);

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

// Checks of an option's text that CLI11's own conversions and ranges lack: no sign, no fraction, no overflow;
// no NaN.
CLI::Validator WholeNumber(uint64_t most = UINT32_MAX);
CLI::Validator Fraction();  // 0 to 1

// Which messages: files, directories, Maildirs, mboxes, or "-"; and what they are.
struct InputFlags {
  std::vector<std::string> paths = {"-"};
  std::string format = "auto";
  bool document = false;

  void AddTo(CLI::App* command);
  tokenizer::Kind kind() const { return document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail; }
  // Calls visit for each message. A message that cannot be read is reported to standard error and counted;
  // the rest go on. visit's error ends the run. Returns the number of unreadable ones.
  Result<size_t> ForEach(const std::function<Result<void>(const RawMessage&)>& visit) const;
};

// Prints "thresher: MESSAGE" to standard error, if that can be; returns the exit code. Never throws.
int Fail(const Error& error);

// Runs a command's body, which returns an exit code, and reports its error. Output that could not be written
// is an error (kIo), though not one to speak of where the reader went away.
int Run(const std::function<Result<int>()>& body);

// What `filter` does with a command line it does not understand: passes the mail on with an Error header that
// says `complaint`. Returns the exit code.
int PassMailOn(const std::string& complaint, bool tempfail);

}  // namespace thresher::pipeline

// The shape of a command of the command line, and the flags that mean the same in all of them.
//
// Each command is one file with one Add… function, listed in main.cc. A command prints its result to standard
// output, its complaints to standard error, and says its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/input/source.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

// Adds one subcommand; when it was asked for, its exit code is written to *exit_code.
using AddCommand = void(CLI::App& app, int* exit_code);

AddCommand AddClassify, AddConfig, AddEval, AddExplain, AddFeedback, AddFilter, AddGenerate, AddLearn,
    AddLearners, AddRebuild, AddReplay, AddStats, AddVocab;

// --config, --preset, --set, --store, --model, --learner.
struct ModelFlags {
  std::string config;
  std::string preset;
  std::vector<std::string> set;
  std::string store;
  std::string model;
  std::string learner;

  void AddTo(CLI::App* command);
  // The configuration with these flags over it.
  Result<Settings> Resolve() const;
};

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

// Prints "thresher: MESSAGE" to standard error; returns the exit code.
int Fail(const Error& error);

// Runs a command's body, which returns an exit code, and reports its error.
int Run(const std::function<Result<int>()>& body);

}  // namespace thresher::pipeline

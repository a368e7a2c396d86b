// The flags that say which examples a command of batch fitting reads: those of its model, or of files.
//
// Used by the commands fit, regret and doubt. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/commands/command_line.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct LoadedExamples {
  ExampleStore store;
  size_t unread = 0;  // messages of an index that could not be read
};

struct ExampleFlags {
  std::vector<std::string> inputs;
  bool document = false;

  // INPUT and --document.
  void AddTo(Command command);
  tokenizer::Kind kind() const { return document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail; }
  // With progress on standard error; messages that cannot be read are reported there, and counted.
  Result<LoadedExamples> Load(const Settings& settings) const;
};

// The examples of the model, with progress on standard error.
Result<StoredExamples> LoadModelExamples(const Settings& settings);

}  // namespace thresher::pipeline

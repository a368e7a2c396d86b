// The flags that say which examples a command of batch fitting reads: those of its model, or of files.
//
// Used by the commands fit and regret. Thread-safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "pipeline/commands/command_line.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct ExampleFlags {
  std::vector<std::string> inputs;
  bool document = false;

  // INPUT and --document.
  void AddTo(Command command);
  tokenizer::Kind kind() const { return document ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail; }
  // With progress on standard error; messages that cannot be read are reported there, and counted. Of inputs,
  // there is no last_seq and no identity.
  Result<StoredExamples> Load(const Settings& settings) const;
};

}  // namespace thresher::pipeline

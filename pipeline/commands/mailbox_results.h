// The results of filters that left their verdicts in the headers of delivered mail, judged by where the mail
// lies now.
//
// Called by eval: with --header it reads folders instead of result files. Thread-safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "pipeline/commands/command_line.h"
#include "pipeline/commands/opened_results.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

struct MailboxFlags {
  std::vector<std::string> headers;  // names; none: there is no mailbox to read
  std::vector<std::string> spam;     // paths
  std::vector<std::string> ham;

  void AddTo(Command command);
};

// One for each header, in their order. Reports how many messages lack one, or have one that says nothing;
// these are left out of its results. A header that no message has is an error.
Result<std::vector<ResultFile>> ReadMailbox(const MailboxFlags& flags);

}  // namespace thresher::pipeline

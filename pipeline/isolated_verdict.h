// The verdict on one message, computed in a child process with a time limit: a message that crashes or hangs
// a parser, or a store that hangs, costs this message its verdict and nothing else.
//
// Used by `filter`. REQUIRES: the calling process has one thread.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/commands/command.h"

namespace thresher::pipeline {

struct IsolatedVerdict {
  std::string header_value;  // what X-Thresher says, also after a failure
  bool failed = false;
  std::string reason;             // of the failure
  std::string on_error = "pass";  // filter.on_error, where the configuration could be read
};

IsolatedVerdict ClassifyIsolated(const ModelFlags& flags, std::string_view message);

}  // namespace thresher::pipeline

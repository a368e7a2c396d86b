// The verdict on one message, computed in a child process with a time limit: a message that crashes or hangs
// a parser, or a store that hangs, costs this message its verdict and nothing else.
//
// Used by `filter`. REQUIRES: the calling process has one thread.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// The value of the X-Thresher header for `message`, or why there is none. Without a store the verdict is
// Unsure. Keeps the message's features for late feedback, if it can.
Result<std::string> ClassifyIsolated(const Settings& settings, std::string_view message);

}  // namespace thresher::pipeline

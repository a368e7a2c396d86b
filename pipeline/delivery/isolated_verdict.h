// The verdict on one message, computed in a child process with a time limit. If the message crashes or hangs
// a parser, or the store hangs, only this message's verdict is lost.
//
// Called by `filter`. REQUIRES: the calling process has one thread.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// The value of the X-Thresher header for `message`, or the reason why there is none. Without a store the
// verdict is Unsure. Spools the message's features for late feedback, if possible.
Result<std::string> ClassifyIsolated(const Settings& settings, std::string_view message);

}  // namespace thresher::pipeline

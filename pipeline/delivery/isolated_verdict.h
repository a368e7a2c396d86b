// The verdict on one message, computed in a child process with a time limit. If the message crashes or hangs
// a parser, or the store hangs, only this message's verdict is lost.
//
// Called by `filter`. Thread-safety: one thread. REQUIRES: it is the only one of the process.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/delivery/marks.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// The marks of `message`, or the reason why there are none. Without a store the verdict is Unsure. Spools the
// message's features for late feedback, if possible.
Result<Marks> ClassifyIsolated(const Settings& settings, std::string_view message);

}  // namespace thresher::pipeline

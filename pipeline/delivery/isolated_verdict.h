// The verdict on one message, computed in a child process with a time limit. If the message crashes or hangs
// a parser, or the store hangs, only this message's verdict is lost.
//
// Called by `filter`. Thread-safety: one thread. REQUIRES: it is the only one of the process.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pipeline/delivery/marks.h"
#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct IsolatedVerdict {
  Marks marks;
  std::optional<Label> to_teach = {};  // as which the settings want it taught by this verdict
  std::string not_kept = {};           // Judged
};

// The verdict on `message`, or the reason why there is none. Without a store it is Unsure. Spools the
// message's features for late feedback, if possible.
Result<IsolatedVerdict> ClassifyIsolated(const Settings& settings, std::string_view message);

}  // namespace thresher::pipeline

// The model of a command that follows a log: taught through the log, in this process, where no daemon is.
//
// It does what a daemon would for this one command (serve/model_service.h): what is taught goes into the
// outbox and the log, and comes back; what the log does not take now is delivered by whoever opens the model
// next. Used by ModelToChange. Thread-safety: one thread.
#pragma once

#include <memory>

#include "pipeline/commands/model_to_change.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// As FollowHere.
Result<std::unique_ptr<ModelToChange>> OpenModelByLog(const Settings& settings);

}  // namespace thresher::pipeline

// The service of a model that follows a log, for one command in this process, where no daemon is.
//
// Used by commands that change a model (commands/model_by_log.h). Thread-safety: one thread.
#pragma once

#include <memory>

#include "pipeline/error.h"
#include "pipeline/serve/model_service.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// With all that others had taught before, if the log can be reached. Makes the store and the model if there
// is none. kBusy: another process has the model, or it is new and the log cannot be reached. REQUIRES:
// settings.cluster.log
Result<std::unique_ptr<ModelService>> FollowHere(const Settings& settings);

}  // namespace thresher::pipeline

// The settings in force for a model that exists: of the configuration, but for what the model keeps since it
// was made.
//
// Used by `thresher config --effective`. Thread-safety: pure functions but for the disk.
#pragma once

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// `settings`, with what the model that they name has where that is another value. The place of such a value
// says so, and what the configuration says. If there is no such model, `settings`.
// REQUIRES: a new model can be made by `settings`.
Result<Settings> SettingsInForce(const Settings& settings);

}  // namespace thresher::pipeline

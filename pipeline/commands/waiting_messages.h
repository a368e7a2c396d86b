// Says that messages wait for a shared log, in commands that take a model out of it or make another one.
//
// Called by export and import. Thread-safety: writes to standard error.
#pragma once

#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// Prints a line if there are any in the outbox beside the model that `settings` name, or if that cannot be
// told.
void SayIfMessagesWait(const Settings& settings);

}  // namespace thresher::pipeline

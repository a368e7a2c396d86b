// How commands open a model to write to it: they say what they wait for.
//
// Called by the commands that change a model. Thread-safety: one thread.
#pragma once

#include "pipeline/opening/opening.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// As TeachingAccess. A wait for another writer is announced on standard error.
WriteAccess CommandAccess(const Settings& settings);

}  // namespace thresher::pipeline

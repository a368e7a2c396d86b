// Gives up the privileges of root, for good.
//
// Called by OpenSockets, once the sockets are open that need them. Thread-safety: before there are threads.
#pragma once

#include <string>

#include "pipeline/error.h"

namespace thresher::pipeline {

// Makes this process one of that user of the machine, with the groups and the home (HOME) of that user and
// without any capability; XDG_CONFIG_HOME and XDG_DATA_HOME were those of root. It need not be root if it is
// that user's already. Errors: kConfig (no such user, or another one and not root), kInternal (the system
// refuses it).
Result<void> RunAs(const std::string& user);

}  // namespace thresher::pipeline

// How the body of a command runs, and how its errors become messages and exit codes.
//
// Called by the command line for each command, and by commands for errors that do not end them.
// Thread-safety: Fail may be called from any thread.
#pragma once

#include <functional>

#include "pipeline/error.h"

namespace thresher::pipeline {

// Prints "thresher: MESSAGE" to standard error, if possible; returns the exit code. Never throws.
int Fail(const Error& error);

// Runs a command's body, which returns an exit code, and reports its error. If output could not be written,
// that is an error (kIo), reported unless the reader closed the pipe.
int Run(const std::function<Result<int>()>& body);

}  // namespace thresher::pipeline

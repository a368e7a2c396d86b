// The result lines of a file, compressed or not.
//
// Called by eval and fuse. A line without an end takes no more memory than any other. Thread-safety: pure
// functions.
#pragma once

#include <string>

#include "eval/outcome.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

// Of `path` ("-": standard input). Malformed lines are in the results; a file that cannot be read, or is
// damaged, is an error.
Result<eval::Results> ReadResultFile(const std::string& path);

}  // namespace thresher::pipeline

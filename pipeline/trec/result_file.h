// Reads the result lines of a file, compressed or not.
//
// Called by eval and fuse. A line of any length takes bounded memory. Thread-safety: pure
// functions.
#pragma once

#include <string>

#include "eval/outcome.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

// Reads `path` ("-": standard input). The results say which lines are malformed; a file that cannot be read
// or is damaged is an error.
Result<eval::Results> ReadResultFile(const std::string& path);

}  // namespace thresher::pipeline

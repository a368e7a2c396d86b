// Says that the end of a model's log is lost, in commands that read the model nevertheless.
//
// Called by the commands that print what is in a model, after they opened it. Thread-safety: writes to
// standard error.
#pragma once

#include <filesystem>

namespace thresher::pipeline {

// Prints a line if examples in the log that were on disk cannot be read.
void SayIfExamplesAreLost(const std::filesystem::path& dir);

}  // namespace thresher::pipeline

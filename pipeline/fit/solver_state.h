// The state of a batch solver as a file from which a fit can be resumed. It is written as a whole or not at
// all, also if the machine crashes, and refused if it is of other examples, another solver, other options or
// another seed.
//
// The file is a line of text that names these, the solver's memory, and an XXH3. Called by Fit, and by
// pipeline/distributed.
// Thread-safety: one thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

// What must be the same: "sdca loss=… seed=1 examples=0123…".
Result<void> SaveSolver(const std::string& path, const std::string& of_what,
                        const std::vector<std::span<double>>& memory);

// False if there is no such file. A damaged file, or one with another content, is an error (kData) and leaves
// `memory` unchanged.
Result<bool> RestoreSolver(const std::string& path, const std::string& of_what,
                           const std::vector<std::span<double>>& memory);

}  // namespace thresher::pipeline

// What a batch solver remembers, as a file to go on from: written whole or not at all, and refused where it
// is of other examples, another solver, other options or another seed.
//
// A line of text with all of that, then the solver's memory as it stands and its XXH3. Used by Fit.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>

#include "learners/batch/solver.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

// What must be equal: "sdca loss=… seed=1 examples=0123…".
Result<void> SaveSolver(const std::string& path, const std::string& of_what, learners::batch::Solver& solver);

// False: there is no such file. A file of something else or a damaged one is an error (kData), and the solver
// is as it was.
Result<bool> RestoreSolver(const std::string& path, const std::string& of_what,
                           learners::batch::Solver& solver);

}  // namespace thresher::pipeline

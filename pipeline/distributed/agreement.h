// What processes must agree upon before they go on: whether one of them has failed, and a set of numbers.
//
// Called by all processes of pipeline/distributed at the same places. Thread-safety: one thread in each
// process.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/distributed/group.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

// The exit code of the first process that failed, 0 if none did. That one prints its error.
int FirstFailure(learners::distributed::Group& group, const Error* mine);

// The numbers of all processes, ascending, each once. REQUIRES: so are `mine`.
std::vector<uint64_t> Union(learners::distributed::Group& group, std::vector<uint64_t> mine);

}  // namespace thresher::pipeline

// The flags of `thresher fit` for several processes, and how the program that has MPI takes over.
//
// Called by the command fit. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/commands/command_line.h"
#include "pipeline/distributed/distributed_fit.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

struct DistributedFlags {
  bool on = false;
  uint64_t parts = 0;

  // After all other flags of fit.
  void AddTo(Command command);
  // Replaces this process by thresher-mpi, which fits to the input. Returns only if that cannot be.
  Result<int> Run(DistributedOptions options, const std::vector<std::string>& inputs) const;
};

}  // namespace thresher::pipeline

// Fits weights to a file of examples in several processes, until the gap is small enough, and prints how it
// goes.
//
// Called by pipeline/mpi in all processes of a group, with the same options. Process 0 prints and writes
// files. Thread-safety: one thread in each process.
#pragma once

#include <cstdint>
#include <string>

#include "learners/distributed/group.h"
#include "learners/registry.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

struct DistributedOptions {
  std::string input;
  std::string solver = "sdca";
  learners::OptionValues options;
  uint64_t parts = 0;  // 0: as many as processes
  double gap = 1e-4;   // stops at gap ≤ this · |objective|
  uint64_t epochs = 1000;
  uint64_t seed = 1;
  std::string resume = {};   // a file; empty: none
  std::string weights = {};  // a file; empty: none
  bool json = false;
};

// As one text and back: what `thresher fit --distributed` hands to the program that has MPI.
Result<std::string> TextOf(const DistributedOptions& options);
Result<DistributedOptions> OptionsOfText(const std::string& text);

// Returns the exit code, the same in all processes. Errors are printed.
int RunDistributedFit(learners::distributed::Group& group, const DistributedOptions& options);

}  // namespace thresher::pipeline

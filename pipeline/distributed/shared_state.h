// The state of a distributed solver in one file of process 0, to resume from: with the same parts, also with
// another number of processes.
//
// The file is that of fit/solver_state.h: the solver's shared memory, then that of each part in order. Called
// by distributed_fit.cc in all processes. Thread-safety: one thread in each process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learners/distributed/solver.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

class SharedState {
 public:
  // `of_what` as in solver_state.h; only that of process 0 counts.
  SharedState(const learners::distributed::Share& share, learners::distributed::Solver& solver,
              std::string path, std::string of_what);

  // Errors are those of process 0; the others have none.
  Result<void> Save();
  // Leaves the solver as it is if there is no file, or if there is an error.
  Result<void> Restore();

 private:
  bool IsFirst() const { return group_.rank() == 0; }
  std::vector<double> OwnParts();
  std::vector<std::span<double>> WholeMemory();
  std::span<double> CollectedOf(size_t rank);
  void Collect();

  learners::distributed::Group& group_;
  learners::distributed::Solver& solver_;
  size_t own_parts_;
  std::string path_;
  std::string of_what_;
  std::vector<double> collected_;  // in process 0: the memory of all parts, in order
  std::vector<uint64_t> counts_;   // of each process, of these
};

}  // namespace thresher::pipeline

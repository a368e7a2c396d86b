// What `thresher fit --distributed` prints: a row for each report, or JSON at the end.
//
// Used by distributed_fit.cc in process 0. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learners/batch/solver.h"
#include "learners/distributed/solver.h"
#include "pipeline/distributed/distributed_fit.h"

namespace thresher::pipeline {

struct DistributedPoint {
  learners::batch::Progress progress;
  uint64_t bytes = 0;  // sent by the steps of all processes so far, in this run
  double seconds = 0;  // of the steps so far, in this run
};

class DistributedReport {
 public:
  // `options_text` are the solver's, complete. Both references must outlive it.
  DistributedReport(const DistributedOptions& options, std::string options_text,
                    const learners::distributed::Share& share);

  void Add(const DistributedPoint& point);
  // The exit code: kIo if standard output failed.
  int End(bool reached);

 private:
  void PrintHead() const;
  void PrintJson(bool reached) const;

  const DistributedOptions& options_;
  std::string options_text_;
  const learners::distributed::Share& share_;
  std::vector<DistributedPoint> points_;
};

}  // namespace thresher::pipeline

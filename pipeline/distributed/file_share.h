// Reads what one process has of a file of examples (learners/distributed/solver.h).
//
// By examples, part k of K has the lines that begin in the k-th of K equal ranges of the file, and a process
// reads its own ranges only. By features, too; then each sends what it has read to those whose features they
// are. Columns are the features of the file in ascending order. An entry takes 8 bytes, a row 12, a feature 8
// in each process and some 40 more while it reads; by features, an entry takes up to three times as much
// until all have been sent.
//
// Called by distributed_fit.cc in all processes. Thread-safety: one thread in each process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/distributed/solver.h"
#include "pipeline/distributed/part_rows.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

class FileShare {
 public:
  // The error is that of this process; others read all the same.
  static Result<FileShare> Read(learners::distributed::Group& group, learners::distributed::Parts parts,
                                learners::distributed::Share::By by, const std::string& path);

  // Valid as long as this object.
  learners::distributed::Share share() const;
  std::span<const PartRows> rows() const { return rows_; }
  std::span<const uint64_t> ids() const { return ids_; }  // of all columns

 private:
  FileShare(learners::distributed::Group& group, learners::distributed::Parts parts)
      : group_(&group), parts_(parts) {}

  Result<void> ReadRanges(const std::string& path);
  void Count(learners::distributed::Share::By by);

  learners::distributed::Group* group_;
  learners::distributed::Parts parts_;
  std::vector<PartRows> rows_;
  std::vector<uint64_t> ids_;
  uint64_t examples_ = 0;
  uint64_t entries_ = 0;
};

}  // namespace thresher::pipeline

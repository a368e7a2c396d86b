// Threads that wait for what they wrote to be on disk, sharing the syncs they wait for.
//
// One sync runs at a time; whoever comes while it runs waits for the next, which serves all of them. So
// nobody waits for more than two syncs, and there are never more than there is use for. Thread-safety: any
// number of threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "storage/error.h"

namespace thresher::storage {

class GroupCommit {
 public:
  // sync() brings everything written before it was called to the disk.
  explicit GroupCommit(std::function<Result<void>()> sync) : sync_(std::move(sync)) {}

  // Returns when what was written before this call is on disk. After a failure, fails for ever: nobody knows
  // what is on disk then.
  Result<void> Wait();

 private:
  const std::function<Result<void>()> sync_;
  std::mutex mutex_;
  std::condition_variable finished_;
  uint64_t begun_ = 0;  // syncs
  uint64_t done_ = 0;
  std::optional<Error> failure_;
};

}  // namespace thresher::storage

// Lets threads that wait for their writes to be on disk share the syncs.
//
// One sync runs at a time. Threads that call Wait while it runs wait for the next sync, which serves all of
// them. So no thread waits for more than two syncs, and no sync is superfluous. Used by DatabaseImpl.
// Thread-safety: any number of threads.
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

  // Returns when everything written before this call is on disk. After a failure every later call fails, as
  // it is unknown what is on disk then.
  Result<void> Wait();
  // Of a sync; nothing if none has failed.
  std::optional<Error> Failure() const;

 private:
  const std::function<Result<void>()> sync_;
  mutable std::mutex mutex_;
  std::condition_variable finished_;
  uint64_t begun_ = 0;  // number of syncs begun
  uint64_t done_ = 0;   // number of syncs done
  std::optional<Error> failure_;
};

}  // namespace thresher::storage

#include "storage/group_commit.h"

namespace thresher::storage {

Result<void> GroupCommit::Wait() {
  std::unique_lock lock(mutex_);
  const uint64_t wanted = begun_ + 1;  // a sync that is running may have begun before the write
  while (done_ < wanted && !failure_) {
    if (begun_ > done_) {
      finished_.wait(lock);
      continue;
    }
    ++begun_;
    lock.unlock();
    const auto synced = sync_();
    lock.lock();
    ++done_;
    if (!synced) failure_ = synced.error();
    finished_.notify_all();
  }
  if (failure_) return tl::unexpected(*failure_);
  return {};
}

std::optional<Error> GroupCommit::Failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace thresher::storage

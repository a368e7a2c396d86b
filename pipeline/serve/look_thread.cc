#include "pipeline/serve/look_thread.h"

#include <utility>

namespace thresher::pipeline {

bool LookThread::Post(std::function<void()> look) {
  {
    const std::lock_guard lock(mutex_);
    if (thread_.is_finishing() || waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back(std::move(look));
  }
  thread_.Wake();
  return true;
}

void LookThread::DoOldest() {
  std::unique_lock lock(mutex_);
  const std::function<void()> look = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  look();
}

}  // namespace thresher::pipeline

#include "pipeline/serve/look_thread.h"

#include <utility>

namespace thresher::pipeline {

LookThread::LookThread() : thread_([this] { Work(); }) {}

LookThread::~LookThread() { Finish(); }

bool LookThread::Post(std::function<void()> look) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_ || waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back(std::move(look));
  }
  changed_.notify_one();
  return true;
}

void LookThread::Finish() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LookThread::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::function<void()> look = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    look();
    lock.lock();
  }
}

}  // namespace thresher::pipeline

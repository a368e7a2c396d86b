#include "pipeline/serve/working_thread.h"

#include <utility>

namespace thresher::pipeline {

WorkingThread::WorkingThread(std::mutex& mutex, std::function<bool()> has_work, std::function<void()> work)
    : mutex_(mutex), has_work_(std::move(has_work)), work_(std::move(work)), thread_([this] { Run(); }) {}

WorkingThread::~WorkingThread() { Finish(); }

void WorkingThread::Finish() {
  {
    const std::lock_guard lock(mutex_);
    is_finishing_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void WorkingThread::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_finishing_ || has_work_(); });
    if (!has_work_()) return;
    lock.unlock();
    work_();
    lock.lock();
  }
}

}  // namespace thresher::pipeline

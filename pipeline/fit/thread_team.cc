#include "pipeline/fit/thread_team.h"

namespace thresher::pipeline {

ThreadTeam::ThreadTeam(size_t threads) {
  const std::scoped_lock lock(mutex_);  // none begins before all are there
  for (size_t k = 1; k < threads; ++k) others_.emplace_back([this] { Work(); });
}

ThreadTeam::~ThreadTeam() {
  const std::scoped_lock lock(mutex_);
  ends_ = true;
  begun_.notify_all();
}

void ThreadTeam::Run(const std::function<void(size_t part, size_t parts)>& body) {
  std::unique_lock lock(mutex_);
  body_ = &body;
  unfinished_ = Parts();
  untaken_ = Parts();
  begun_.notify_all();
  TakeParts(lock);
  done_.wait(lock, [this] { return unfinished_ == 0; });
}

void ThreadTeam::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [this] { return ends_ || untaken_ > 0; });
    if (ends_) return;
    TakeParts(lock);
  }
}

void ThreadTeam::TakeParts(std::unique_lock<std::mutex>& lock) {
  while (untaken_ > 0) {
    const size_t part = --untaken_;
    lock.unlock();
    (*body_)(part, Parts());
    lock.lock();
    if (--unfinished_ == 0) done_.notify_one();
  }
}

}  // namespace thresher::pipeline

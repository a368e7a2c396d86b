#include "pipeline/fit/thread_team.h"

namespace thresher::pipeline {

ThreadTeam::ThreadTeam(size_t threads) {
  for (size_t part = 1; part < threads; ++part) others_.emplace_back([this, part] { Work(part); });
}

ThreadTeam::~ThreadTeam() {
  const std::scoped_lock lock(mutex_);
  ends_ = true;
  begun_.notify_all();
}

void ThreadTeam::Run(const std::function<void(size_t part, size_t parts)>& body) {
  {
    const std::scoped_lock lock(mutex_);
    body_ = &body;
    working_ = others_.size();
    ++round_;
    begun_.notify_all();
  }
  body(0, others_.size() + 1);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
}

void ThreadTeam::Work(size_t part) {
  uint64_t round = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return ends_ || round_ != round; });
    if (ends_) return;
    round = round_;
    const size_t parts = others_.size() + 1;
    lock.unlock();
    (*body_)(part, parts);
    lock.lock();
    if (--working_ == 0) done_.notify_one();
  }
}

}  // namespace thresher::pipeline

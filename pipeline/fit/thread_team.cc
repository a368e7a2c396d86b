#include "pipeline/fit/thread_team.h"

namespace thresher::pipeline {
namespace {

// Takes some tens of microseconds, about as long as waking a thread.
constexpr int kLooks = 64;

// Whether is_so becomes true soon. Yields the processor meanwhile.
template <class Condition>
bool SoonIs(const Condition& is_so) {
  for (int look = 0; look < kLooks; ++look) {
    if (is_so()) return true;
    std::this_thread::yield();
  }
  return is_so();
}

}  // namespace

ThreadTeam::ThreadTeam(size_t threads) : parts_(static_cast<int64_t>(threads)) {
  for (size_t k = 1; k < threads; ++k) others_.emplace_back([this] { Work(); });
}

ThreadTeam::~ThreadTeam() {
  ends_ = true;
  Wake(begun_);
}

void ThreadTeam::Run(const std::function<void(size_t part, size_t parts)>& body) {
  body_ = &body;
  unfinished_ = parts_;
  untaken_ = parts_;
  Wake(begun_);
  TakeParts();
  const auto is_done = [this] { return unfinished_ == 0; };
  if (SoonIs(is_done)) return;
  std::unique_lock lock(mutex_);
  done_.wait(lock, is_done);
}

void ThreadTeam::Work() {
  const auto is_called = [this] { return ends_ || untaken_ > 0; };
  while (!ends_) {
    if (!SoonIs(is_called)) {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, is_called);
    }
    TakeParts();
  }
}

void ThreadTeam::TakeParts() {
  for (int64_t part = --untaken_; part >= 0; part = --untaken_) {
    (*body_)(static_cast<size_t>(part), static_cast<size_t>(parts_));
    if (--unfinished_ == 0) Wake(done_);
  }
}

// After the lock, every thread that found its condition false is waiting and will be notified.
void ThreadTeam::Wake(std::condition_variable& condition) {
  { const std::scoped_lock lock(mutex_); }
  condition.notify_all();
}

}  // namespace thresher::pipeline

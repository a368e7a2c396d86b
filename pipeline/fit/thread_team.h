// Threads that wait for work to share and share it many times a second: what batch solvers run on.
//
// A solver's share of work may be shorter than it takes to wake a thread. So a part belongs to whoever comes
// first: nobody waits for a thread that has not begun.
//
// Thread-safety: one thread calls Run.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace thresher::pipeline {

class ThreadTeam {
 public:
  // `threads` in all, the caller's among them.
  explicit ThreadTeam(size_t threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // body(part, parts) for each part < parts, as many as there are threads; returns when all are done. It must
  // not throw.
  void Run(const std::function<void(size_t part, size_t parts)>& body);

 private:
  size_t Parts() const { return others_.size() + 1; }
  void Work();
  void TakeParts(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // guards all below
  std::condition_variable begun_;
  std::condition_variable done_;
  const std::function<void(size_t, size_t)>* body_ = nullptr;
  size_t untaken_ = 0;     // parts that nobody has begun
  size_t unfinished_ = 0;  // parts that are not done
  bool ends_ = false;
  std::vector<std::jthread> others_;
};

}  // namespace thresher::pipeline

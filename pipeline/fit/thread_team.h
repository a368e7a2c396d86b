// Threads that run the parts of a job together, many times a second.
//
// Called by Fit for solvers that use several threads. A part may take less time than it takes to wake a
// thread. So parts are not assigned: each thread takes the next one that nobody has taken, nobody waits for a
// thread that is still waking up, and a waiting thread yields for a short time before it sleeps.
// docs/decisions.md compares it with std::barrier. Thread-safety: one thread calls Run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace thresher::pipeline {

class ThreadTeam {
 public:
  // `threads` in all, including the caller's.
  explicit ThreadTeam(size_t threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Calls body(part, parts) for each part < parts, which is the number of threads, and returns when all are
  // done. `body` must not throw.
  void Run(const std::function<void(size_t part, size_t parts)>& body);

 private:
  void Work();
  void TakeParts();
  void Wake(std::condition_variable& condition);

  const int64_t parts_;
  const std::function<void(size_t, size_t)>* body_ = nullptr;  // read by threads that have taken a part
  std::atomic<int64_t> untaken_ = 0;                           // parts that nobody has taken; may be below 0
  std::atomic<int64_t> unfinished_ = 0;                        // parts that are not done
  std::atomic<bool> ends_ = false;
  std::mutex mutex_;  // for the condition variables
  std::condition_variable begun_;
  std::condition_variable done_;
  std::vector<std::jthread> others_;
};

}  // namespace thresher::pipeline

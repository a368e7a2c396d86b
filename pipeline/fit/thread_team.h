// Threads that wait for work to share and share it many times a second: what batch solvers run on.
//
// A solver's share of work may be shorter than it takes to wake a thread. So a part belongs to whoever comes
// first: nobody waits for a thread that has not begun; and who waits looks for a moment before it sleeps.
//
// Thread-safety: one thread calls Run.
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
  // `threads` in all, the caller's among them.
  explicit ThreadTeam(size_t threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // body(part, parts) for each part < parts, as many as there are threads; returns when all are done. It must
  // not throw.
  void Run(const std::function<void(size_t part, size_t parts)>& body);

 private:
  void Work();
  void TakeParts();
  void Wake(std::condition_variable& condition);

  const int64_t parts_;
  const std::function<void(size_t, size_t)>* body_ = nullptr;  // read by who has taken a part
  std::atomic<int64_t> untaken_ = 0;                           // parts that nobody has begun; or below 0
  std::atomic<int64_t> unfinished_ = 0;                        // parts that are not done
  std::atomic<bool> ends_ = false;
  std::mutex mutex_;  // of those that sleep
  std::condition_variable begun_;
  std::condition_variable done_;
  std::vector<std::jthread> others_;
};

}  // namespace thresher::pipeline

// Threads that wait for work to share and share it many times a second: what batch solvers run on.
//
// Thread-safety: one thread calls Run.
#pragma once

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

  // body(part, parts) for each part < parts, each in its thread; returns when all are done. It must not
  // throw.
  void Run(const std::function<void(size_t part, size_t parts)>& body);

 private:
  void Work(size_t part);

  std::mutex mutex_;  // guards all below
  std::condition_variable begun_;
  std::condition_variable done_;
  const std::function<void(size_t, size_t)>* body_ = nullptr;
  uint64_t round_ = 0;
  size_t working_ = 0;
  bool ends_ = false;
  std::vector<std::jthread> others_;
};

}  // namespace thresher::pipeline

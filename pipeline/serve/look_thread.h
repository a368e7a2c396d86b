// One thread for work that reads a whole model, so that neither teaching nor judging waits for it.
//
// Used by ModelService for vocabulary and statistics. Thread-safety: any threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace thresher::pipeline {

class LookThread {
 public:
  static constexpr size_t kMostWaiting = 100;

  LookThread();
  ~LookThread();  // as Finish
  LookThread(const LookThread&) = delete;
  LookThread& operator=(const LookThread&) = delete;

  // Does it later, one after the other; false if too many wait or it has been finished. `look` throws
  // nothing.
  bool Post(std::function<void()> look);
  // Does what was posted.
  void Finish();

 private:
  void Work();

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace thresher::pipeline

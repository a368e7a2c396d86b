// A thread that waits until there is work, does it, and ends when none is left and its owner wants no more.
//
// Used by what has one thread and a queue: LookThread, Models, SpoolWriter. The queue, and the mutex that
// guards it, are the owner's. Thread-safety: Wake from any thread; Finish from one at a time.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace thresher::pipeline {

class WorkingThread {
 public:
  // has_work is called with `mutex` held; work without it, while has_work(). Both throw nothing.
  WorkingThread(std::mutex& mutex, std::function<bool()> has_work, std::function<void()> work);
  ~WorkingThread();  // as Finish
  WorkingThread(const WorkingThread&) = delete;
  WorkingThread& operator=(const WorkingThread&) = delete;

  // Whether Finish was called. REQUIRES: the mutex is held.
  bool is_finishing() const { return is_finishing_; }
  // To be called when work has come. REQUIRES: the mutex is not held.
  void Wake() { changed_.notify_one(); }
  // Returns when all work is done.
  void Finish();

 private:
  void Run();

  std::mutex& mutex_;
  std::function<bool()> has_work_;
  std::function<void()> work_;
  std::condition_variable changed_;
  bool is_finishing_ = false;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace thresher::pipeline

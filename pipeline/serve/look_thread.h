// One thread for work that reads a whole model, so that neither teaching nor judging waits for it.
//
// Used by ModelService for vocabulary and statistics. Thread-safety: any threads.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

#include "pipeline/serve/working_thread.h"

namespace thresher::pipeline {

class LookThread {
 public:
  static constexpr size_t kMostWaiting = 100;

  // Does it later, one after the other; false if too many wait or it has been finished. `look` throws
  // nothing.
  bool Post(std::function<void()> look);
  // Does what was posted.
  void Finish() { thread_.Finish(); }

 private:
  void DoOldest();

  std::mutex mutex_;  // of what follows
  std::deque<std::function<void()>> waiting_;
  WorkingThread thread_{mutex_, [this] { return !waiting_.empty(); }, [this] { DoOldest(); }};
};

}  // namespace thresher::pipeline

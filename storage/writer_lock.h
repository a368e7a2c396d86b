// One writer per model: an flock on DIR/writer, with the holder's pid, command and start time inside.
//
// Taken by a Database opened for writing; the kernel releases it however the process ends.
// Thread-safety: move-only value, one thread.
#pragma once

#include <chrono>
#include <filesystem>

#include "storage/error.h"

namespace thresher::storage {

class WriterLock {
 public:
  // Waits up to `wait` for the present holder; then kBusy with a message that names it. `dir` must exist.
  static Result<WriterLock> Acquire(const std::filesystem::path& dir, std::chrono::milliseconds wait);
  ~WriterLock();
  WriterLock(WriterLock&&) noexcept;
  WriterLock& operator=(WriterLock&&) noexcept;

 private:
  explicit WriterLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace thresher::storage

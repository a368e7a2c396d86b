// The lock that allows one writer per model: an flock on DIR/writer, which contains the holder's pid, command
// and start time.
//
// Taken by a Database that is opened for writing, and by backups and imports in their target. The kernel
// releases it when the process ends, in any way. Thread-safety: move-only value, one thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "storage/descriptor.h"
#include "storage/error.h"

namespace thresher::storage {

// Told once, by who waits for the lock, what it waits for: "DIR is being written to by process 12 (…), since
// …". Not told of a wait that is over at once.
using OnWait = std::function<void(const std::string& what)>;

class WriterLock {
 public:
  // Waits up to `wait` for the present holder, then fails with kBusy and a message that names it. kDenied if
  // the model is not this user's (CheckWritableStore), or a link is in the place of the lock file. REQUIRES:
  // `dir` exists.
  static Result<WriterLock> Acquire(const std::filesystem::path& dir, std::chrono::milliseconds wait,
                                    const OnWait& on_wait = {});
  // kMissing if `dir`, which was locked, is another folder by now, or none: it was removed or moved, and what
  // is written to its files is lost. Takes two system calls.
  Result<void> CheckPlace(const std::filesystem::path& dir) const;

 private:
  explicit WriterLock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace thresher::storage

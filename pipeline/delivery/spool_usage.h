// How much is in a spool: a file of one line, which a process locks while it adds a message. So the limits
// hold, however many processes write, and none has to look at all files for each message.
//
// The totals are never too small: a message is counted before it is written, and what leaves the spool is
// only noticed when all is counted anew. Called by Spool. Thread-safety: any number of processes and threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "pipeline/error.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {

struct SpoolTotals {
  uint64_t messages = 0;
  uint64_t bytes = 0;
  int64_t counted_ns = 0;  // when all files were looked at, since 1970
};

class SpoolUsage {
 public:
  static constexpr char kFileName[] = ".usage";

  // Locks the spool `dir` until the object goes. kBusy if another process holds it for a second.
  static Result<SpoolUsage> Lock(const std::filesystem::path& dir);

  // Nothing if they were never written or are damaged: count.
  std::optional<SpoolTotals> Read() const;
  Result<void> Write(const SpoolTotals& totals) const;

 private:
  SpoolUsage(std::filesystem::path path, storage::Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::filesystem::path path_;
  storage::Descriptor file_;  // which unlocks it when it closes it
};

}  // namespace thresher::pipeline

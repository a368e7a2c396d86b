// A disk under RocksDB that fails when told to, and that loses power: what was not synced may be gone.
//
// Installed for writers by its constructor, one at a time. Thread-safety: any number of threads.
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>

namespace thresher::storage {

enum class DiskWork { kWrite, kSync, kRead };

class FaultyDisk {
 public:
  FaultyDisk();
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  // From the n-th next piece of work of this kind on, all of them fail with `status`; n = 1 is the next.
  void FailFrom(DiskWork work, uint64_t n, const rocksdb::IOStatus& status);
  // Of the n-th next read, a bit is turned over.
  void FlipBitInRead(uint64_t n);
  // How much of this work was done so far.
  uint64_t Count(DiskWork work) const;

  // Copies the files under `from` as the disk might hold them if the power failed now: of what was written
  // since a file was last synced, any part at the end may be missing, or garbage.
  void CutPower(const std::filesystem::path& from, const std::filesystem::path& to,
                std::mt19937_64& random) const;

 private:
  class System;
  std::shared_ptr<System> system_;
};

}  // namespace thresher::storage

// A disk for RocksDB that can fail on demand and can lose power: then data that was not synced may be lost.
//
// The constructor installs it; one at a time. Thread-safety: any number of threads.
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>

namespace thresher::storage {

enum class DiskWork { kWrite, kSync, kRead, kCreate };

class FaultyDisk {
 public:
  FaultyDisk();
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  // Makes the n-th next operation of this kind and all later ones fail with `status`; n = 1 is the next.
  void FailFrom(DiskWork work, uint64_t n, const rocksdb::IOStatus& status);
  // Flips a bit in the result of the n-th next read.
  void FlipBitInRead(uint64_t n);
  // Calls `act` before each sync, in the thread that syncs; nothing calls it any more after
  // SetBeforeSync({}).
  void SetBeforeSync(std::function<void()> act);
  // How many operations of this kind there have been.
  uint64_t Count(DiskWork work) const;

  // Copies the files under `from` as the disk might have them if the power failed now: of what was written to
  // a file since its last sync, any part at the end may be missing or garbage.
  void CutPower(const std::filesystem::path& from, const std::filesystem::path& to,
                std::mt19937_64& random) const;

 private:
  class System;
  std::shared_ptr<System> system_;
};

}  // namespace thresher::storage

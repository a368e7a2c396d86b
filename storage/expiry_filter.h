// Compaction filters that drop what has expired: examples, and message keys that lead to one.
//
// Files whose examples have all expired are dropped without a compaction (DropExpiredFiles); the filters see
// to the rest when RocksDB gets there. Thread-safety: any number of threads.
#pragma once

#include <rocksdb/compaction_filter.h>
#include <rocksdb/db.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "storage/rocksdb_options.h"

namespace thresher::storage {

// The number of the oldest example that is kept, as of the last checkpoint.
using FirstKept = std::shared_ptr<std::atomic<uint64_t>>;

// For the examples or ids family. Keys and values of another size are kept for others to complain about.
std::shared_ptr<rocksdb::CompactionFilterFactory> ExpiryFilters(Family family, const FirstKept& first_kept);

// Drops files of the examples family that hold nothing from `first_kept` on.
rocksdb::Status DropExpiredFiles(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples,
                                 uint64_t first_kept);

// Rewrites those that hold something before it, and no others.
rocksdb::Status CompactExpired(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples,
                               uint64_t first_kept);

}  // namespace thresher::storage

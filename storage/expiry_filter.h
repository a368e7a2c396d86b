// Removes expired examples, and message keys that refer to them, from disk.
//
// DropExpiredFiles removes files whose examples have all expired, and writes none for it. Compaction filters
// remove the rest whenever RocksDB compacts it. Used by DatabaseImpl. Thread-safety: any number of threads.
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

// For the family `examples` or `ids`. Keeps keys and values of a wrong size; the code that reads them reports
// them.
std::shared_ptr<rocksdb::CompactionFilterFactory> ExpiryFilters(Family family, const FirstKept& first_kept);

// Removes files of the family `examples` in which every example has a number below `first_kept`.
rocksdb::Status DropExpiredFiles(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples,
                                 uint64_t first_kept);

// Rewrites the files that hold an example with a number below `first_kept`.
rocksdb::Status CompactExpired(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples,
                               uint64_t first_kept);

}  // namespace thresher::storage

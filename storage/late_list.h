// The file system of a writer that follows an orderly one: the list of files (MANIFEST) that RocksDB makes
// anew at each open stays in memory until it says something that the one on disk does not.
//
// A writer of one example only adds to RocksDB's log, and for the log the list on disk is as good as the new
// one: a writer that was killed before it made a list leaves the same. That saves three of the five syncs of
// such a writer. The new list is written when RocksDB adds to it, and before RocksDB deletes a file that the
// list on disk may need. If RocksDB makes another list (tables were made, merged or taken in), the one in
// memory is not needed any more once CURRENT names that. Used by DatabaseImpl. Thread-safety: any number of
// threads; one object for each open database.
#pragma once

#include <rocksdb/file_system.h>

#include <memory>

namespace thresher::storage {

// Forwards everything else to `base`.
std::shared_ptr<rocksdb::FileSystem> WithLateList(const std::shared_ptr<rocksdb::FileSystem>& base);

}  // namespace thresher::storage

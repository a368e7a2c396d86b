// Keeps the number of files of the family `examples` small, as readers open all of them.
//
// RocksDB's compaction only moves the files of this family and never merges them, so that writers of one
// example each would leave one file each. Called by DatabaseImpl when a writer closes. Thread-safety: one
// thread.
#pragma once

#include <rocksdb/db.h>

namespace thresher::storage {

// Merges the newest files into one if many of them are small. An example is rewritten until its file holds a
// few hundred examples, and then never again.
rocksdb::Status MergeSmallExampleFiles(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples);

}  // namespace thresher::storage

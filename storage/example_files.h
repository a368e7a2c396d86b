// Keeps the number of files of the examples family small, as readers open every one.
//
// Compaction only moves the files of this family, so that writers of one example each would leave as many
// files. Called when a writer closes. Thread-safety: one thread.
#pragma once

#include <rocksdb/db.h>

namespace thresher::storage {

// Merges the newest files into one if there are many small ones among them. An example is rewritten until it
// lies among a few hundred others, and then never again.
rocksdb::Status MergeSmallExampleFiles(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples);

}  // namespace thresher::storage

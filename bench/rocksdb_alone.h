// RocksDB without a store, to compare a store with.
//
// Used by the benchmarks. Thread-safety: none.
#pragma once

#include <rocksdb/db.h>

#include <memory>

#include "bench/must.h"
#include "tests/test_directory.h"

namespace thresher::bench {

// An empty database with RocksDB's default options.
inline std::unique_ptr<rocksdb::DB> OpenRocksDb(const TestDirectory& folder) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  MustBe(rocksdb::DB::Open(options, folder.model().string(), &opened));
  return std::unique_ptr<rocksdb::DB>(opened);
}

}  // namespace thresher::bench

// How RocksDB is set up for a model: its column families and every setting that is not RocksDB's default.
//
// Used where a model is opened. None of it is persisted by us: a store opens under other settings as well.
// Thread-safety: pure functions.
#pragma once

#include <rocksdb/db.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace thresher::storage {

enum class Family : size_t { kMeta, kWeights, kExamples, kIds, kTokens };

// `meta` is RocksDB's default family, which no database can do without; the others go by their own names.
inline constexpr std::array<std::string_view, 5> kFamilyNames = {"meta", "weights", "examples", "ids",
                                                                 "tokens"};
inline constexpr size_t kFamilies = kFamilyNames.size();

// What a reader may have to replay when it opens beside a writer, and a writer after a crash.
inline constexpr size_t kLongestWal = size_t{8} << 20;

// What a log is that ends in something else than a whole record.
enum class LogEnd {
  kWhole,  // damaged
  kTorn,   // what a crash leaves: the state before it is whole, as every write is
};

// `env` must outlive the database.
rocksdb::DBOptions WriterOptions(LogEnd log_end, rocksdb::Env* env);
rocksdb::DBOptions ReaderOptions();

// In the order of Family. A writer adds what is to be dropped in compactions.
std::vector<rocksdb::ColumnFamilyDescriptor> AllFamilies();

}  // namespace thresher::storage

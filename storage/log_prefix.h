// Which records of RocksDB's logs are used: those before the first that is damaged or missing.
//
// RocksDB calls it for each record while it opens a database. By itself RocksDB does not notice that a log
// is missing between two others. And if a family has no entry in a damaged log, RocksDB takes that family
// for newer than the log and refuses the whole database; such a database is opened again, with as many
// records as were used before the refusal. Used where a database is opened (database_opening.cc) and by
// backup.cc. Thread-safety: one thread.
#pragma once

#include <rocksdb/wal_filter.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace thresher::storage {

class LogPrefix final : public rocksdb::WalFilter {
 public:
  static constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();

  // Uses at most the first `most` records.
  explicit LogPrefix(uint64_t most) : most_(most) {}

  // The number of records that were used.
  uint64_t used() const { return used_; }
  // The largest number of an example in the records that were seen and not used; 0 if there is none.
  uint64_t last_unused_example() const { return last_unused_example_; }

  const char* Name() const override { return "LogPrefix"; }
  void ColumnFamilyLogNumberMap(const std::map<uint32_t, uint64_t>& logs,
                                const std::map<std::string, uint32_t>& families) override;
  WalProcessingOption LogRecordFound(unsigned long long log, const std::string& file,  // NOLINT(*-int)
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch* replacement,
                                     bool* is_replaced) override;

 private:
  uint64_t most_;
  uint64_t used_ = 0;
  uint64_t next_change_ = 0;  // RocksDB's number of the first change in the next record; 0 if it is not known
  uint32_t examples_ = 0;     // RocksDB's number of the family
  uint64_t last_unused_example_ = 0;
};

}  // namespace thresher::storage

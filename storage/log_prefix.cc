#include "storage/log_prefix.h"

#include <rocksdb/write_batch.h>

#include <algorithm>

#include "storage/byte_order.h"
#include "storage/rocksdb_options.h"

namespace thresher::storage {
namespace {

// Finds the largest number of an example in a batch.
class LargestExample final : public rocksdb::WriteBatch::Handler {
 public:
  explicit LargestExample(uint32_t examples) : examples_(examples) {}
  uint64_t number() const { return number_; }

  rocksdb::Status PutCF(uint32_t family, const rocksdb::Slice& key,
                        const rocksdb::Slice& /*value*/) override {
    if (family == examples_ && key.size() == sizeof number_)
      number_ = std::max(number_, LoadBig<uint64_t>(key.data()));
    return {};
  }
  rocksdb::Status DeleteCF(uint32_t /*family*/, const rocksdb::Slice& /*key*/) override { return {}; }
  rocksdb::Status DeleteRangeCF(uint32_t /*family*/, const rocksdb::Slice& /*begin*/,
                                const rocksdb::Slice& /*end*/) override {
    return {};
  }
  void LogData(const rocksdb::Slice& /*blob*/) override {}

 private:
  uint32_t examples_;
  uint64_t number_ = 0;
};

}  // namespace

void LogPrefix::ColumnFamilyLogNumberMap(const std::map<uint32_t, uint64_t>& /*logs*/,
                                         const std::map<std::string, uint32_t>& families) {
  const auto found = families.find(std::string(kFamilyNames[static_cast<size_t>(Family::kExamples)]));
  if (found != families.end()) examples_ = found->second;
}

// A batch begins with the number of its first change; its changes have that number and the next ones. A
// writer that opened a log with a torn end continued with the number that was next: so a later log may
// continue.
LogPrefix::WalProcessingOption LogPrefix::LogRecordFound(unsigned long long /*log*/,  // NOLINT(*-int)
                                                         const std::string& /*file*/,
                                                         const rocksdb::WriteBatch& batch,
                                                         rocksdb::WriteBatch* /*replacement*/,
                                                         bool* /*is_replaced*/) {
  const auto first_change = LoadLittle<uint64_t>(batch.Data().data());
  const bool is_next = next_change_ == 0 || first_change == next_change_;
  if (is_next && used_ < most_) {
    ++used_;
    next_change_ = first_change + batch.Count();
    return WalProcessingOption::kContinueProcessing;
  }
  LargestExample largest(examples_);
  if (batch.Iterate(&largest).ok()) last_unused_example_ = std::max(last_unused_example_, largest.number());
  return WalProcessingOption::kIgnoreCurrentRecord;
}

}  // namespace thresher::storage

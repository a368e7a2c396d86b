#include "storage/expiry_filter.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <string>

#include "storage/byte_order.h"

namespace thresher::storage {
namespace {

using rocksdb::Slice;

class ExpiryFilter final : public rocksdb::CompactionFilter {
 public:
  ExpiryFilter(Family family, uint64_t first_kept) : family_(family), first_kept_(first_kept) {}
  const char* Name() const override { return "thresher expiry"; }

  bool Filter(int /*level*/, const Slice& key, const Slice& value, std::string* /*new_value*/,
              bool* /*value_changed*/) const override {
    if (family_ == Family::kExamples)
      return key.size() == sizeof(uint64_t) && LoadBig<uint64_t>(key.data()) < first_kept_;
    return value.size() == sizeof(uint64_t) && LoadLittle<uint64_t>(value.data()) < first_kept_;
  }

 private:
  Family family_;
  uint64_t first_kept_;
};

class Factory final : public rocksdb::CompactionFilterFactory {
 public:
  Factory(Family family, FirstKept first_kept) : family_(family), first_kept_(std::move(first_kept)) {}
  const char* Name() const override { return "thresher expiry"; }

  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
      const rocksdb::CompactionFilter::Context& /*context*/) override {
    return std::make_unique<ExpiryFilter>(family_, *first_kept_);
  }

 private:
  Family family_;
  FirstKept first_kept_;
};

// DeleteFilesInRange leaves out level 0, where flushed files wait until they are merged. Of those that only
// have keys below `end`, the filter keeps nothing, so that nothing is written but the list of files.
rocksdb::Status CompactExpiredFlushes(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples,
                                      const std::string& end) {
  rocksdb::ColumnFamilyMetaData meta;
  rocks.GetColumnFamilyMetaData(examples, &meta);
  std::string first = end;
  std::string last;
  for (const auto& file : meta.levels.front().files) {
    if (file.largestkey >= end) continue;
    first = std::min(first, file.smallestkey);
    last = std::max(last, file.largestkey);
  }
  if (last.empty()) return {};
  const Slice begin = first;
  const Slice bound = last;
  return rocks.CompactRange(rocksdb::CompactRangeOptions(), examples, &begin, &bound);
}

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> ExpiryFilters(Family family, const FirstKept& first_kept) {
  return std::make_shared<Factory>(family, first_kept);
}

rocksdb::Status DropExpiredFiles(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples,
                                 uint64_t first_kept) {
  std::string end;
  AppendBig(first_kept, &end);
  const Slice bound = end;
  const rocksdb::Status status =
      rocksdb::DeleteFilesInRange(&rocks, examples, nullptr, &bound, /*include_end=*/false);
  return status.ok() ? CompactExpiredFlushes(rocks, examples, end) : status;
}

rocksdb::Status CompactExpired(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples,
                               uint64_t first_kept) {
  if (first_kept <= 1) return {};
  std::string end;
  AppendBig(first_kept - 1, &end);
  const Slice bound = end;
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  return rocks.CompactRange(options, examples, nullptr, &bound);
}

}  // namespace thresher::storage

#include "storage/example_files.h"

#include <algorithm>
#include <string>
#include <vector>

#include "storage/byte_order.h"

namespace thresher::storage {
namespace {

constexpr uint64_t kFewExamples = 512;  // a file with fewer is small
constexpr size_t kManyFiles = 8;

struct Range {
  uint64_t first;
  uint64_t last;
};

// The examples in each file, oldest first. Skips keys of a wrong size; the code that reads them reports them.
std::vector<Range> FileRanges(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples) {
  rocksdb::ColumnFamilyMetaData meta;
  rocks.GetColumnFamilyMetaData(examples, &meta);
  std::vector<Range> ranges;
  for (const auto& level : meta.levels) {
    for (const auto& file : level.files) {
      if (file.smallestkey.size() != sizeof(uint64_t) || file.largestkey.size() != sizeof(uint64_t)) continue;
      ranges.push_back(
          {LoadBig<uint64_t>(file.smallestkey.data()), LoadBig<uint64_t>(file.largestkey.data())});
    }
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  return ranges;
}

}  // namespace

rocksdb::Status MergeSmallExampleFiles(rocksdb::DB& rocks, rocksdb::ColumnFamilyHandle* examples) {
  const std::vector<Range> ranges = FileRanges(rocks, examples);
  const auto large = std::find_if(ranges.rbegin(), ranges.rend(), [](const Range& range) {
    return range.last - range.first >= kFewExamples;
  });
  const auto small = large.base();  // the first after the newest large one
  if (static_cast<size_t>(ranges.end() - small) <= kManyFiles) return {};
  std::string first;
  AppendBig(small->first, &first);
  const rocksdb::Slice begin = first;
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  return rocks.CompactRange(options, examples, &begin, nullptr);
}

}  // namespace thresher::storage

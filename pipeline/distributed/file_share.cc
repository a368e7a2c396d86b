#include "pipeline/distributed/file_share.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "learners/distributed/tree_sum.h"
#include "pipeline/distributed/agreement.h"
#include "pipeline/distributed/file_lines.h"

namespace thresher::pipeline {
namespace {

using learners::distributed::Group;
using learners::distributed::Parts;
using learners::distributed::Share;

FileRange RangeOf(const Parts& parts, size_t part, uint64_t size) {
  const auto boundary = [&](size_t k) {
    return size / parts.count * k + size % parts.count * k / parts.count;
  };
  return {boundary(part), boundary(part + 1)};
}

// Numbers the features of a process as they come.
class Numbering {
 public:
  uint32_t Of(uint64_t id) {
    return numbers_.try_emplace(id, static_cast<uint32_t>(numbers_.size())).first->second;
  }
  std::vector<uint64_t> Sorted() const {
    std::vector<uint64_t> ids;
    ids.reserve(numbers_.size());
    for (const auto& [id, number] : numbers_) ids.push_back(id);
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  // The column of each number.
  std::vector<uint32_t> Columns(std::span<const uint64_t> all) const {
    std::vector<uint32_t> columns(numbers_.size());
    for (const auto& [id, number] : numbers_)
      columns[number] = static_cast<uint32_t>(std::ranges::lower_bound(all, id) - all.begin());
    return columns;
  }

 private:
  std::unordered_map<uint64_t, uint32_t> numbers_;
};

// Takes columns for the numbers, and sorts each row by them.
void Renumber(std::span<const uint32_t> columns, PartRows* part) {
  std::vector<std::pair<uint32_t, float>> row;
  for (size_t i = 0; i + 1 < part->starts.size(); ++i) {
    row.clear();
    for (uint64_t at = part->starts[i]; at < part->starts[i + 1]; ++at)
      row.emplace_back(columns[part->indices[at]], part->values[at]);
    std::sort(row.begin(), row.end());
    for (size_t k = 0; k < row.size(); ++k) {
      part->indices[part->starts[i] + k] = row[k].first;
      part->values[part->starts[i] + k] = row[k].second;
    }
  }
}

}  // namespace

Result<FileShare> FileShare::Read(Group& group, Parts parts, Share::By by, const std::string& path) {
  FileShare share(group, parts);
  const Result<void> read = share.ReadRanges(path);
  if (by == Share::By::kFeatures) share.rows_ = DivideByFeatures(share.share(), std::move(share.rows_));
  share.Count(by);
  if (!read) return tl::unexpected(read.error());
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  if (share.examples_ > kMost || share.ids_.size() > kMost)
    return tl::unexpected(Error{kData, path + ": more than 2^32 examples or features"});
  if (share.examples_ == 0) return tl::unexpected(Error{kData, path + ": there are no examples"});
  return share;
}

Share FileShare::share() const {
  Share share{.group = *group_,
              .parts = parts_,
              .own = {},
              .examples = examples_,
              .entries = entries_,
              .features = static_cast<uint32_t>(ids_.size())};
  for (const PartRows& part : rows_) share.own.push_back(part.View(share.features));
  return share;
}

Result<void> FileShare::ReadRanges(const std::string& path) {
  const size_t first = parts_.FirstOf(group_->rank());
  rows_.resize(parts_.FirstOf(group_->rank() + 1) - first);
  Numbering numbering;
  const auto size = SizeOfLines(path);
  Result<void> read;
  if (!size) read = tl::unexpected(size.error());
  for (size_t k = 0; k < rows_.size() && read; ++k) {
    PartRows& part = rows_[k];
    read = ForEachLineOf(path, RangeOf(parts_, first + k, *size), [&](const LineExample& example) {
      for (size_t j = 0; j < example.numbers.size(); ++j) {
        if (example.values[j] == 0) continue;
        part.indices.push_back(numbering.Of(example.numbers[j]));
        part.values.push_back(example.values[j]);
      }
      part.starts.push_back(part.indices.size());
      part.targets.push_back(example.target);
    });
  }
  ids_ = Union(*group_, numbering.Sorted());
  const std::vector<uint32_t> columns = numbering.Columns(ids_);
  for (PartRows& part : rows_) Renumber(columns, &part);
  return read;
}

void FileShare::Count(Share::By by) {
  std::array<double, 2> counts = {};
  for (const PartRows& part : rows_) {
    const auto rows = static_cast<double>(part.targets.size());
    counts[0] = by == Share::By::kExamples ? counts[0] + rows : rows;
    counts[1] += static_cast<double>(part.indices.size());
  }
  if (by == Share::By::kFeatures && group_->rank() > 0) counts[0] = 0;  // all have the same rows
  learners::distributed::TreeSum sum(*group_, {group_->size(), group_->size()}, counts.size());
  sum.Add(counts);
  sum.Finish(counts);
  examples_ = static_cast<uint64_t>(counts[0]);
  entries_ = static_cast<uint64_t>(counts[1]);
}

}  // namespace thresher::pipeline

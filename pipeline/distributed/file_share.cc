#include "pipeline/distributed/file_share.h"

#include <xxhash.h>

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

learners::batch::Examples PartRows::View(uint32_t width) const {
  return {.rows = {.starts = starts, .indices = indices, .values = values, .width = width},
          .columns = {},
          .targets = targets};
}

uint64_t PartRows::Digest() const {
  uint64_t digest = 0;
  const auto add = [&digest](auto items) {
    digest = XXH3_64bits_withSeed(items.data(), items.size_bytes(), digest);
  };
  add(std::span(starts));
  add(std::span(indices));
  add(std::span(values));
  add(std::span(targets));
  return digest;
}

Result<FileShare> FileShare::Read(Group& group, Parts parts, Share::By by, const std::string& path) {
  FileShare share(group, parts);
  const auto size = SizeOfLines(path);
  Result<void> read;
  if (!size) {
    read = tl::unexpected(size.error());
    share.ids_ = Union(group, {});
  } else {
    read = by == Share::By::kExamples ? share.ReadExamples(path, *size) : share.ReadFeatures(path, *size);
  }
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

Result<void> FileShare::ReadExamples(const std::string& path, uint64_t size) {
  Numbering numbering;
  Result<void> read;
  for (size_t k = parts_.FirstOf(group_->rank()); k < parts_.FirstOf(group_->rank() + 1) && read; ++k) {
    PartRows& part = rows_.emplace_back();
    read = ForEachLineOf(path, RangeOf(parts_, k, size), [&](const LineExample& example) {
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
  rows_.resize(parts_.FirstOf(group_->rank() + 1) - parts_.FirstOf(group_->rank()));  // if it failed
  return read;
}

Result<void> FileShare::ReadFeatures(const std::string& path, uint64_t size) {
  Numbering numbering;
  const size_t first = parts_.FirstOf(group_->rank());
  const size_t end = parts_.FirstOf(group_->rank() + 1);
  const FileRange own = {RangeOf(parts_, first, size).begin, RangeOf(parts_, end - 1, size).end};
  auto read = ForEachLineOf(path, own, [&](const LineExample& example) {
    for (size_t j = 0; j < example.numbers.size(); ++j)
      if (example.values[j] != 0) numbering.Of(example.numbers[j]);
  });
  ids_ = Union(*group_, numbering.Sorted());
  rows_.resize(end - first);
  if (!read) return read;
  const Share whole = share();
  const auto column_of = [&whole](size_t part) { return whole.FirstFeatureOf(part); };
  std::vector<std::vector<std::pair<uint32_t, float>>> kept(rows_.size());
  return ForEachLineOf(path, {0, size}, [&](const LineExample& example) {
    for (size_t j = 0; j < example.numbers.size(); ++j) {
      if (example.values[j] == 0) continue;
      const auto column =
          static_cast<size_t>(std::ranges::lower_bound(ids_, example.numbers[j]) - ids_.begin());
      if (column < column_of(first) || column >= column_of(end)) continue;
      size_t part = first;
      while (column >= column_of(part + 1)) ++part;
      kept[part - first].emplace_back(static_cast<uint32_t>(column), example.values[j]);
    }
    for (size_t k = 0; k < rows_.size(); ++k) {
      std::sort(kept[k].begin(), kept[k].end());
      for (const auto& [column, value] : kept[k]) {
        rows_[k].indices.push_back(column);
        rows_[k].values.push_back(value);
      }
      kept[k].clear();
      rows_[k].starts.push_back(rows_[k].indices.size());
      rows_[k].targets.push_back(example.target);
    }
  });
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

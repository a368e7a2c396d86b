#include "pipeline/fit/example_store.h"

#include <xxhash.h>

#include <algorithm>
#include <limits>

namespace thresher::pipeline {

using learners::batch::SparseLines;

ExampleStore::ExampleStore(ScratchArray<uint32_t> row_indices, ScratchArray<float> row_values,
                           ScratchArray<uint32_t> column_indices, ScratchArray<float> column_values)
    : row_indices_(std::move(row_indices)),
      row_values_(std::move(row_values)),
      column_indices_(std::move(column_indices)),
      column_values_(std::move(column_values)) {}

Result<ExampleStore> ExampleStore::Make() {
  auto row_indices = ScratchArray<uint32_t>::Make();
  auto column_indices = ScratchArray<uint32_t>::Make();
  auto row_values = ScratchArray<float>::Make();
  auto column_values = ScratchArray<float>::Make();
  if (!row_indices) return tl::unexpected(row_indices.error());
  if (!column_indices) return tl::unexpected(column_indices.error());
  if (!row_values) return tl::unexpected(row_values.error());
  if (!column_values) return tl::unexpected(column_values.error());
  return ExampleStore(*std::move(row_indices), *std::move(row_values), *std::move(column_indices),
                      *std::move(column_values));
}

Result<void> ExampleStore::Add(std::span<const uint64_t> ids, std::span<const float> values, float target) {
  constexpr size_t kMost = std::numeric_limits<uint32_t>::max();
  if (targets_.size() == kMost || ids_.size() + ids.size() > kMost)
    return tl::unexpected(Error{kData, "more than 2^32 examples or features"});
  row_.clear();
  for (size_t k = 0; k < ids.size(); ++k) {
    if (values[k] == 0) continue;
    const auto [found, is_new] = columns_.try_emplace(ids[k], static_cast<uint32_t>(ids_.size()));
    if (is_new) ids_.push_back(ids[k]);
    row_.emplace_back(found->second, values[k]);
  }
  std::sort(row_.begin(), row_.end());
  indices_.clear();
  values_.clear();
  for (const auto& [index, value] : row_) {
    indices_.push_back(index);
    values_.push_back(value);
  }
  if (auto done = row_indices_.Append(indices_); !done) return done;
  if (auto done = row_values_.Append(values_); !done) return done;
  row_starts_.push_back(row_starts_.back() + row_.size());
  targets_.push_back(target);
  return {};
}

Result<void> ExampleStore::Finish() {
  const uint64_t entries = row_starts_.back();
  if (auto done = row_indices_.Map(); !done) return done;
  if (auto done = row_values_.Map(); !done) return done;
  if (auto done = column_indices_.Reserve(entries); !done) return done;
  if (auto done = column_values_.Reserve(entries); !done) return done;
  if (auto done = column_indices_.Map(); !done) return done;
  if (auto done = column_values_.Map(); !done) return done;
  column_starts_.assign(ids_.size() + 1, 0);
  for (const uint32_t index : row_indices_.items()) ++column_starts_[index + 1];
  for (size_t j = 0; j < ids_.size(); ++j) column_starts_[j + 1] += column_starts_[j];
  std::vector<uint64_t> next(column_starts_.begin(), column_starts_.end() - 1);
  for (uint32_t i = 0; i < targets_.size(); ++i) {
    for (uint64_t at = row_starts_[i]; at < row_starts_[i + 1]; ++at) {
      const uint64_t to = next[row_indices_.items()[at]]++;
      column_indices_.items()[to] = i;
      column_values_.items()[to] = row_values_.items()[at];
    }
  }
  columns_ = {};
  return {};
}

std::vector<float> ExampleStore::MakeClasses() {
  std::vector<float> names = targets_;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (float& target : targets_) {
    target = static_cast<float>(std::lower_bound(names.begin(), names.end(), target) - names.begin());
  }
  classes_ = static_cast<uint32_t>(names.size());
  return names;
}

learners::batch::Examples ExampleStore::View() const {
  return {.rows = SparseLines{.starts = row_starts_,
                              .indices = row_indices_.items(),
                              .values = row_values_.items(),
                              .width = static_cast<uint32_t>(ids_.size())},
          .columns = SparseLines{.starts = column_starts_,
                                 .indices = column_indices_.items(),
                                 .values = column_values_.items(),
                                 .width = static_cast<uint32_t>(targets_.size())},
          .targets = targets_,
          .classes = classes_,
          .costs = costs_};
}

Result<ExampleStore> ExampleStore::Select(std::span<const size_t> rows) const {
  auto selected = Make();
  if (!selected) return selected;
  selected->ids_ = ids_;
  selected->classes_ = classes_;
  selected->costs_ = costs_;
  const SparseLines all = View().rows;
  for (const size_t i : rows) {
    const SparseLines::Line row = all[i];
    if (auto done = selected->row_indices_.Append(row.indices); !done) return tl::unexpected(done.error());
    if (auto done = selected->row_values_.Append(row.values); !done) return tl::unexpected(done.error());
    selected->row_starts_.push_back(selected->row_starts_.back() + row.size());
    selected->targets_.push_back(targets_[i]);
  }
  if (auto done = selected->Finish(); !done) return tl::unexpected(done.error());
  return selected;
}

uint64_t ExampleStore::Digest() const {
  uint64_t digest = classes_;
  const auto add = [&digest](auto items) {
    digest = XXH3_64bits_withSeed(items.data(), items.size() * sizeof(items[0]), digest);
  };
  add(std::span(ids_));
  add(std::span(targets_));
  add(std::span(row_starts_));
  add(row_indices_.items());
  add(row_values_.items());
  if (!costs_.empty()) add(std::span(costs_));
  return digest;
}

}  // namespace thresher::pipeline

// Examples for batch solvers: a sparse matrix by rows and by columns, in mapped files, so that memory holds
// only what is in use.
//
// Filled row by row by example_source.h; features are numbered in the order of their first occurrence. A
// non-zero takes 16 bytes on disk (a number and a value, by rows and by columns), a row 16, a feature 8 and
// some 40 in memory. Thread-safety: one thread fills it; then any number of threads may read.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "learners/batch/examples.h"
#include "pipeline/error.h"
#include "pipeline/fit/scratch_file.h"

namespace thresher::pipeline {

class ExampleStore {
 public:
  static Result<ExampleStore> Make();

  // Adds a row; zeros are left out. REQUIRES: ids distinct, values finite, Finish not called yet.
  Result<void> Add(std::span<const uint64_t> ids, std::span<const float> values, float target);
  // Makes the columns. Nothing can be added afterwards.
  Result<void> Finish();

  // Replaces each target, the number of a class, by its rank among all classes: `names`, ascending.
  std::vector<float> MakeClasses();
  // The targets are already classes 0 … count − 1. `costs` as in learners/batch/examples.h.
  void SetClasses(uint32_t count, std::vector<double> costs = {}) {
    classes_ = count;
    costs_ = std::move(costs);
  }

  // REQUIRES for both: Finish succeeded. A view is valid as long as this object.
  learners::batch::Examples View() const;
  // A copy of these rows, in this order; columns keep their numbers.
  Result<ExampleStore> Select(std::span<const size_t> rows) const;

  size_t size() const { return targets_.size(); }
  std::span<const float> targets() const { return targets_; }
  std::span<const uint64_t> ids() const { return ids_; }  // of each column
  // XXH3 of all rows, targets and costs: identifies the examples.
  uint64_t Digest() const;

 private:
  ExampleStore(ScratchArray<uint32_t> row_indices, ScratchArray<float> row_values,
               ScratchArray<uint32_t> column_indices, ScratchArray<float> column_values);

  std::unordered_map<uint64_t, uint32_t> columns_;
  std::vector<uint64_t> ids_;
  std::vector<float> targets_;
  uint32_t classes_ = 0;
  std::vector<double> costs_;
  std::vector<uint64_t> row_starts_ = {0};
  std::vector<uint64_t> column_starts_;
  ScratchArray<uint32_t> row_indices_;
  ScratchArray<float> row_values_;
  ScratchArray<uint32_t> column_indices_;
  ScratchArray<float> column_values_;

  // Temporary, kept to save allocations.
  std::vector<std::pair<uint32_t, float>> row_;
  std::vector<uint32_t> indices_;
  std::vector<float> values_;
};

}  // namespace thresher::pipeline

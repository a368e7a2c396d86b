// Examples as batch solvers take them: a sparse matrix by rows and by columns, in files of which memory holds
// what is in use.
//
// Filled row by row by example_source.h; features are numbered as they first occur. A non-zero takes 16 bytes
// on disk (a number and a value, by rows and by columns), a row 16, a feature 8 and some 40 in memory.
// Thread-safety: one thread fills; any number read.
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

  // One more row. REQUIRES: ids distinct, values finite, before Finish. Zeros are left out.
  Result<void> Add(std::span<const uint64_t> ids, std::span<const float> values, float target);
  // Makes the columns; nothing is added any more.
  Result<void> Finish();

  // Targets that are numbers of classes become their ranks among all there are: `names`, ascending.
  std::vector<float> MakeClasses();
  // Targets are classes 0 … count − 1 already.
  void SetClasses(uint32_t count) { classes_ = count; }

  // REQUIRES, of both: Finish succeeded. Views hold while this object does.
  learners::batch::Examples View() const;
  // Rows first … first + count of it; made anew.
  Result<ExampleStore> Slice(size_t first, size_t count) const;

  size_t size() const { return targets_.size(); }
  std::span<const uint64_t> ids() const { return ids_; }  // of each column
  // XXH3 of all there is: which examples these are.
  uint64_t Digest() const;

 private:
  ExampleStore(ScratchArray<uint32_t> row_indices, ScratchArray<float> row_values,
               ScratchArray<uint32_t> column_indices, ScratchArray<float> column_values);

  std::unordered_map<uint64_t, uint32_t> columns_;
  std::vector<uint64_t> ids_;
  std::vector<float> targets_;
  uint32_t classes_ = 0;
  std::vector<uint64_t> row_starts_ = {0};
  std::vector<uint64_t> column_starts_;
  ScratchArray<uint32_t> row_indices_;
  ScratchArray<float> row_values_;
  ScratchArray<uint32_t> column_indices_;
  ScratchArray<float> column_values_;

  // Scratch, kept to save allocations.
  std::vector<std::pair<uint32_t, float>> row_;
  std::vector<uint32_t> indices_;
  std::vector<float> values_;
};

}  // namespace thresher::pipeline

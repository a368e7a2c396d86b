// The rows that WeightTable::Find or FindWeights found for a list of ids, and what WeightTable::Touch needs
// to change them.
//
// Filled by WeightTable, read by the pipeline's model. It keeps its memory from one Find to the next: a
// caller that uses the same object again allocates nothing. Thread-safety: as the table that filled it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace thresher::storage {

class FoundRows {
 public:
  // The ids that were looked up.
  std::span<const uint64_t> ids() const { return ids_; }

  // rows()[i] is the row of ids()[i], null if it had none, or none was found, when the handle was filled.
  // Stops the program if the handle is stale, as the pointers may then lead to memory that holds other rows
  // or none.
  std::span<const std::byte* const> rows() const;

  // False (stale) after a call that moved or removed rows of the table: Find or Touch with another handle,
  // LoadAll and Sweep may, Checkpoint and StartOver do, and so does the end of the table. False as well if
  // Find failed.
  bool IsCurrent() const { return generation_ && *generation_ == found_in_; }

 private:
  friend class WeightTable;

  std::vector<uint64_t> ids_;
  std::vector<std::byte*> rows_;
  size_t absent_ = 0;          // ids without a row
  bool only_weights_ = false;  // an absent id may have a row without weight on disk
  // The table adds one to its generation whenever rows move or leave memory. Shared, so that a handle may
  // outlive the table and is never taken for one of another table.
  std::shared_ptr<const uint64_t> generation_;
  uint64_t found_in_ = 0;  // the generation in which rows_ was filled; 0: in none
};

}  // namespace thresher::storage

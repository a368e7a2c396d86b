// The resident weight table: rows of fixed size by 64-bit feature id, at the cost of a memory access, in
// front of RocksDB.
//
// An open-addressing table with inline rows. Used by the pipeline's model: Find before scoring, Touch before
// learning, Checkpoint to make it durable. Rows not resident are faulted in by one MultiGet per Find unless
// the table is complete. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/database.h"
#include "storage/error.h"

namespace thresher::storage {

class WeightTable {
 public:
  // Rows are `row_bytes` long (a multiple of 8, fixed for the model's life). A database without rows gives a
  // complete table.
  WeightTable(Database& database, size_t row_bytes);
  ~WeightTable();
  WeightTable(const WeightTable&) = delete;
  WeightTable& operator=(const WeightTable&) = delete;

  // Brings every stored row into memory; afterwards the table is complete and Find never reads the disk.
  Result<void> LoadAll();

  // (*rows)[i] is the row of ids[i], null if there is none. Who asks for so many that reading all rows would
  // have cost no more gets them all into memory, if the budget has room. Pointers hold until the next call of
  // a non-const function.
  Result<void> Find(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows);

  // Like Find right after Find for the same ids, but absent rows are made (all zero) and every row is marked
  // as changed: the caller may write to them. text_of(i) gives a new row's token text (may be empty); called
  // for new rows only.
  void Touch(std::span<const uint64_t> ids, const std::function<std::string_view(size_t)>& text_of,
             std::vector<std::byte*>* rows);

  // Every resident row, in no order; LoadAll first to have all of the model. The mutable form marks the
  // rows that `visit` changes.
  void ForEach(const std::function<void(uint64_t id, const std::byte* row)>& visit) const;
  void ForEachMutable(const std::function<void(std::byte* row)>& visit);

  // Checkpoints that leave more than `bytes` of rows evict those that were not learned from lately, or, if
  // that is not enough, all. 0 is without limit. Between two checkpoints there may be more; see memory_bytes.
  void SetBudget(size_t bytes);

  // Begins the model again: forgets every row, takes rows of `row_bytes` from now on, and is complete. What
  // is stored stays, for readers as well, until the next Checkpoint replaces all of it, and the database's
  // texts by `meta`, in one step.
  void StartOver(size_t row_bytes, const Meta& meta);

  using RowTest = std::function<bool(const std::byte* row)>;

  // Looks at every row, in memory or not, and marks those for which is_live says no: the next Checkpoint
  // removes them. Brings no others into memory, and of these no more than a quarter of the budget holds.
  // Where the table is complete there is nothing to do: checkpoints look at every row. Returns how many rows
  // there are, about.
  Result<uint64_t> Sweep(const RowTest& is_live);

  // Writes changed rows, the texts of rows not stored before, globals and applied_seq in one step, all or
  // nothing, on disk when it returns. Rows for which is_live says no are removed, with their texts, from disk
  // and memory: the changed ones, and, where the table is complete, all of them. Rows of which weighs says so
  // go into the model's score image; what does not weigh must not come to weigh before it is touched.
  struct CheckpointCounts {
    uint64_t written = 0;
    uint64_t removed = 0;
  };
  Result<CheckpointCounts> Checkpoint(std::span<const std::byte> globals, uint64_t applied_seq,
                                      const RowTest& is_live, const RowTest& weighs);

  // The stored (or not yet stored) texts of tokens; empty where there is none.
  Result<std::vector<std::string>> Texts(std::span<const uint64_t> ids) const;

  size_t resident_rows() const;
  size_t memory_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::storage

// The weight table: rows of fixed size by 64-bit feature id, kept in memory in front of RocksDB, so that a
// look-up costs one memory access.
//
// The rows in memory are in RowSlots. Used by the pipeline's model: Find before
// scoring, Touch before learning, Checkpoint to make the changes durable. The table is complete when every
// row is in memory; otherwise Find reads missing rows from disk, with one MultiGet. Thread-safety: one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/database.h"
#include "storage/error.h"
#include "storage/found_rows.h"

namespace thresher::storage {

class WeightTable {
 public:
  // Each row has `row_bytes` bytes (a multiple of 8, fixed for the model's life). If the database has no
  // rows, the table is complete.
  WeightTable(Database& database, size_t row_bytes);
  ~WeightTable();
  WeightTable(const WeightTable&) = delete;
  WeightTable& operator=(const WeightTable&) = delete;

  // Loads every stored row into memory. The table is complete then, and Find never reads the disk.
  Result<void> LoadAll();

  // Finds the rows of `ids` and fills the handle with them. A caller that looks up so many single rows on
  // disk that loading all rows would have cost no more makes the table load all of them, if the budget
  // allows.
  Result<void> Find(std::span<const uint64_t> ids, FoundRows* found);
  // The same for a caller that needs only the weights of rows: a row that had no weight at the last
  // checkpoint may be missing as long as it is only on disk. Most rows have none, and the score image has the
  // others.
  Result<void> FindWeights(std::span<const uint64_t> ids, FoundRows* found);

  // Makes rows (all zero) for the ids that have none, marks every row of the handle as changed, and returns
  // them, in the order of found.ids(), for the caller to write to. A handle that is stale, of another table
  // or of FindWeights is first filled again; only that can fail. The returned rows stay valid as long as the
  // handle is current.
  Result<std::span<std::byte* const>> Touch(FoundRows& found);

  // Keeps the texts of the rows i of the handle for which wanted[i] != 0: the next checkpoint stores those
  // that are not stored yet. text_of(i) gives the token text of ids()[i] and may be empty. A row that gets a
  // weight needs its text, so that people can read it; most rows never get one. REQUIRES: Touch was called
  // with the handle, which is current; wanted[i] for each row.
  using TextOf = std::function<std::string_view(size_t i)>;
  void KeepTexts(const FoundRows& found, std::span<const uint8_t> wanted, const TextOf& text_of);

  // Visits every row in memory, in no particular order; all rows of the model if the table is complete. The
  // mutable form marks the rows that `visit` changes as changed.
  void ForEach(const std::function<void(uint64_t id, const std::byte* row)>& visit) const;
  void ForEachMutable(const std::function<void(std::byte* row)>& visit);

  // A checkpoint after which the rows take more than `bytes` evicts those that were not learned from
  // recently, or all rows if that is not enough. 0 means no limit. Between checkpoints rows may take more;
  // see memory_bytes.
  void SetBudget(size_t bytes);

  // Starts the model again: forgets every row, has rows of `row_bytes` from now on, and is complete. The
  // stored rows stay, for readers as well, until the next Checkpoint replaces all of them, and the texts of
  // the database by `meta`, in one step.
  void StartOver(size_t row_bytes, const Meta& meta);

  using RowTest = std::function<bool(const std::byte* row)>;

  // Finds prunable rows (is_live is false) among all rows, in memory and on disk, and marks them for the next
  // Checkpoint to remove. Loads only prunable rows, up to a quarter of the budget. Does nothing if the table
  // is complete, as checkpoints then look at every row anyway. Returns the approximate number of rows.
  Result<uint64_t> Sweep(const RowTest& is_live);

  // Writes the changed rows, the texts that were kept and not stored before, globals and applied_seq in one
  // step, all or nothing; they are on disk when it returns. Removes prunable rows (is_live is false) and
  // their texts from disk and memory: the changed ones and, if the table is complete, the unchanged as well.
  // The score image gets the rows for which has_weight is true. REQUIRES: a row without weight gets one only
  // by being touched.
  struct CheckpointCounts {
    uint64_t written = 0;
    uint64_t removed = 0;
  };
  Result<CheckpointCounts> Checkpoint(std::span<const std::byte> globals, uint64_t applied_seq,
                                      const RowTest& is_live, const RowTest& has_weight);

  // The texts of these ids, stored or not yet stored; empty for an id without text.
  Result<std::vector<std::string>> Texts(std::span<const uint64_t> ids) const;

  size_t resident_rows() const;  // For tests.
  size_t memory_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::storage

// A small learner over a store, and a twin that keeps its rows in a std::map: the store must give back what
// the twin has.
//
// Everything follows from the number of the example, so any state can be computed from the number of
// examples. As in a real model, rows become prunable, come back, and have texts or none.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "storage/database.h"
#include "storage/example_log.h"
#include "storage/weight_table.h"

namespace thresher::storage {

// The two forms of a checkpoint: small ones are written as a batch, large ones as table files.
enum class Way { kBatch, kTables };

using ToyRow = std::array<uint64_t, 2>;  // all zero: never seen

// Some live rows have no weight.
bool ToyHasWeight(const ToyRow& row);

std::vector<uint64_t> ToyIds(uint64_t seq);
std::string ToyText(uint64_t id);
Example ToyExample(uint64_t seq);

// The state after `seq` examples, in a std::map.
class ToyTwin {
 public:
  void LearnUpTo(uint64_t seq);
  const std::map<uint64_t, ToyRow>& rows() const { return rows_; }  // live ones only
  uint64_t seq() const { return seq_; }

 private:
  std::map<uint64_t, ToyRow> rows_;
  uint64_t seq_ = 0;
};

// The same over a store. Every failure is returned.
class ToyModel {
 public:
  static Result<std::unique_ptr<ToyModel>> OpenOrCreate(const std::filesystem::path& dir,
                                                        Durability durability);
  static Result<std::unique_ptr<ToyModel>> OpenForReading(const std::filesystem::path& dir);

  // Appends the next example to the log, then applies it; returns its number.
  Result<uint64_t> Learn();
  Result<void> Checkpoint(Way way = Way::kBatch);
  // Applies the examples in the log after the last checkpoint.
  Result<void> Recover();
  // Every live row; loads all rows into memory.
  Result<std::map<uint64_t, ToyRow>> Rows();

  uint64_t applied_seq() const { return applied_seq_; }
  Database& database() { return *database_; }
  ExampleLog& log() { return log_; }
  WeightTable& weights() { return weights_; }

 private:
  explicit ToyModel(std::unique_ptr<Database> database);
  static Result<std::unique_ptr<ToyModel>> Join(Result<std::unique_ptr<Database>> database);
  Result<void> Apply(uint64_t seq);

  std::unique_ptr<Database> database_;
  ExampleLog log_;
  WeightTable weights_;
  uint64_t applied_seq_ = 0;
};

}  // namespace thresher::storage

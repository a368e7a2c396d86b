// A model that is made from what another was written out as: all of it at once, or nothing.
//
// Used by imports. Memory is bounded, whatever is put in. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "storage/database.h"
#include "storage/error.h"
#include "storage/example_log.h"
#include "storage/log_extent.h"

namespace thresher::storage {

class NewModel {
 public:
  // Begins a model in `dir`, where there must be none (kDenied). Nobody else can make one there meanwhile.
  static Result<std::unique_ptr<NewModel>> Begin(const std::filesystem::path& dir);
  // What was not finished is gone.
  ~NewModel();
  NewModel(const NewModel&) = delete;
  NewModel& operator=(const NewModel&) = delete;

  Result<void> PutMeta(const Meta& meta);
  // As of a checkpoint.
  Result<void> PutState(std::string_view globals, uint64_t applied_seq, const LogExtent& extent);
  Result<void> PutRow(uint64_t id, std::string_view row, std::string_view text);
  // Under its number; its key leads to it. REQUIRES: numbers without gaps, ascending; a key as ExampleLog
  // takes it.
  Result<void> PutExample(const Example& example);

  // Now it is there, and on disk.
  Result<void> Finish();

 private:
  class Impl;
  explicit NewModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::storage

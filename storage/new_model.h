// Makes a model from exported content: the whole model appears at once, or none.
//
// Used by `thresher import`. Needs a limited amount of memory, however large the model is. Thread-safety: one
// thread.
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
  // Begins a model in `dir`; kDenied if there is one. No other process can make one there meanwhile.
  static Result<std::unique_ptr<NewModel>> Begin(const std::filesystem::path& dir);
  // Removes a model that was not finished.
  ~NewModel();
  NewModel(const NewModel&) = delete;
  NewModel& operator=(const NewModel&) = delete;

  Result<void> PutMeta(const Meta& meta);
  // What a checkpoint stores besides rows.
  Result<void> PutState(std::string_view globals, uint64_t applied_seq, const LogExtent& extent);
  Result<void> PutRow(uint64_t id, std::string_view row, std::string_view text);
  // Stores the example under its number; its message key refers to it then. REQUIRES: ascending numbers
  // without gaps; a message key that ExampleLog accepts.
  Result<void> PutExample(const Example& example);

  // Stores a copy of an expired example (ExampleLog::KeepExpired). REQUIRES: ascending numbers.
  Result<void> PutKept(const Example& example);

  // Makes the model appear in `dir`; it is on disk when this returns.
  Result<void> Finish();

 private:
  class Impl;
  explicit NewModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::storage

// A directory that is removed with this object.
//
// Holds the store of a replay that keeps none, and the copy of a filter under test. Signals that end the
// process wait until it is removed (interrupts.h), so whoever works in it must look at interrupts() often.
// What a killed process leaves behind is removed by the next Make of the same name: a file in it says what it
// is, and the owner holds a lock on it, which the kernel releases when the process ends. Used by
// experiment.cc and trec_filter.cc. Thread-safety: one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/error.h"
#include "pipeline/trec/interrupts.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {

class TemporaryDirectory {
 public:
  // Makes NAME-XXXXXX in the system's directory for temporary files.
  static Result<std::unique_ptr<TemporaryDirectory>> Make(std::string_view name);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const Interrupts& interrupts() const { return *interrupts_; }

 private:
  explicit TemporaryDirectory(std::unique_ptr<Interrupts> interrupts) : interrupts_(std::move(interrupts)) {}
  // False, with errno set, if it cannot be made.
  bool MakeAndLock(std::string path_template);

  std::unique_ptr<Interrupts> interrupts_;
  std::filesystem::path path_;
  storage::Descriptor lock_;
};

}  // namespace thresher::pipeline

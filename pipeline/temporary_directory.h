// A directory that goes away with this object, or with the process, however that ends.
//
// For the store of a replay that keeps none. Make it before other threads begin: it forks. Thread-safety: one
// thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "pipeline/error.h"

namespace thresher::pipeline {

class TemporaryDirectory {
 public:
  // NAME-XXXXXX in the system's folder for such.
  static Result<std::unique_ptr<TemporaryDirectory>> Make(std::string_view name);
  // Returns when it is gone.
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::filesystem::path path);

  std::filesystem::path path_;
  int alive_ = -1;    // the writing end of a pipe: closed when this process ends, if not before
  int remover_ = -1;  // a process that waits for that
};

}  // namespace thresher::pipeline

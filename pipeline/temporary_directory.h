// A directory that goes away with this object, or with the process if a signal ends it: SIGHUP, SIGINT,
// SIGTERM.
//
// For the store of a replay that keeps none. Make it before other threads begin: they must not take the
// signals. One at a time.
#pragma once

#include <csignal>
#include <filesystem>
#include <memory>
#include <string_view>
#include <thread>

#include "pipeline/error.h"

namespace thresher::pipeline {

class TemporaryDirectory {
 public:
  // NAME-XXXXXX in the system's folder for such.
  static Result<std::unique_ptr<TemporaryDirectory>> Make(std::string_view name);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryDirectory();
  void Watch();

  std::filesystem::path path_;
  sigset_t before_{};
  sigset_t signals_{};
  std::thread watcher_;
};

}  // namespace thresher::pipeline

// A temporary directory for one benchmark; the destructor removes it.
//
// Used by the benchmarks that need a store. Thread-safety: one thread.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace thresher::bench {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "thresher-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path model() const { return path_ / "model"; }

 private:
  std::filesystem::path path_;
};

}  // namespace thresher::bench

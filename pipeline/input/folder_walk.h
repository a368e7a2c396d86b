// The message files under a folder, one by one, sorted by name within each folder.
//
// Used by source.cc. Holds the names of the folders on the way to the present file only.
// Thread-safety: serves one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

class FolderWalk {
 public:
  // REQUIRES: `folder` is one, or a link to one.
  explicit FolderWalk(std::string folder) { pending_.push_back({std::move(folder), true}); }

  // The next file; nothing at the end. After an error (a folder that cannot be read) the walk goes on behind
  // it. What a link leads to is read if it is a file, and passed over if it is a folder, for it might lead
  // in circles. Passed over are also pipes, sockets, devices, and what source.h says.
  Result<std::optional<std::string>> Next();

 private:
  struct Entry {
    std::string path;
    bool is_folder;
  };
  Result<void> List(const std::string& folder);

  std::vector<Entry> pending_;  // the next one last
};

}  // namespace thresher::pipeline

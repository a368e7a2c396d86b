// What the names of RocksDB's files say.
//
// Used by all in storage/ that looks at these files itself: backups, the join of logs, the file systems that
// RocksDB is given. Thread-safety: pure functions.
#pragma once

#include <filesystem>
#include <string>

namespace thresher::storage {

// Whether the file is a list of the files that belong to the store. CURRENT names the one in use.
inline bool IsListOfFiles(const std::filesystem::path& file) {
  return file.filename().native().starts_with("MANIFEST-");
}

// Whether the file named `a` was made before `b`, if their names differ in their numbers only: these have six
// digits or, from a million on, more. Of others it is some order.
inline bool IsEarlierFile(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace thresher::storage

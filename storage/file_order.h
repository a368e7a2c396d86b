// The order in which RocksDB made files of one kind.
//
// Their names have its numbers, in six digits or, from a million on, more. Used by JoinLogs and MakeBackup.
// Thread-safety: a pure function.
#pragma once

#include <string>

namespace thresher::storage {

// Whether the file named `a` was made before `b`, if their names differ in their numbers only. Of others it
// is some order.
inline bool IsEarlierFile(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace thresher::storage

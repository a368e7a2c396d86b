// A note of what RocksDB's logs and its list of files were when a writer closed the store, so that the next
// one need not read them to find out whether they are damaged.
//
// Used by DatabaseImpl. The note is not synced: if it is missing, damaged or of other logs, the logs are
// checked (Database::CheckLog). Thread-safety: one thread, which holds the writer lock.
#pragma once

#include <filesystem>

namespace thresher::storage {

// Of the logs as they are now. `synced`: all of them is on disk. A failure leaves no note.
void WriteLogNote(const std::filesystem::path& dir, bool synced);

// Removes the note and says what it said.
enum class LogNote {
  kNone,       // there is none of these logs
  kSame,       // the logs are, byte for byte, what their writer left
  kSameOnDisk  // and were synced
};
LogNote TakeLogNote(const std::filesystem::path& dir);

}  // namespace thresher::storage

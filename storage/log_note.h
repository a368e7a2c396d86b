// A note of what RocksDB's logs and its list of files were when a writer closed the store, so that the next
// one need not read them to find out whether they are damaged.
//
// Used by DatabaseImpl, and by who wants to know whether a score image is of all that was taught. The note is
// not synced: if it is missing, damaged or of other logs, the logs are checked (Database::CheckLog).
// Thread-safety: one thread, which holds the writer lock; IsClosedStore from any.
#pragma once

#include <cstdint>
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

// Whether the last writer closed the store and none has it open: there is a note, and the logs are as long as
// it says. Reads no log. Any process may ask.
bool IsClosedStore(const std::filesystem::path& dir);

// Tells the note of one writer from that of another, at the cost of a look at its file. All 0: there is none.
struct LogNoteStamp {
  uint64_t inode = 0;
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  bool operator==(const LogNoteStamp&) const = default;
};
LogNoteStamp StampOfLogNote(const std::filesystem::path& dir);

}  // namespace thresher::storage

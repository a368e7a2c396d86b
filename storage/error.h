// Errors of the store: one line for the user, and a kind, from which the pipeline chooses the exit code.
//
// Returned by every function of this folder that can fail. Thread-safety: plain values.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace thresher::storage {

enum class ErrorKind {
  kMissing,     // no store at this path
  kBusy,        // another process is the writer; the message names it
  kVersion,     // this program does not read the format of the store
  kCorrupt,     // a checksum, a record or a row is wrong
  kDenied,      // permissions to write, read-only file systems
  kUnreadable,  // permissions to read
  kFull,        // no space left, quota
  kIo,          // any other failure of reading or writing
  kMisuse,      // an error of the caller, for example writing through a reader
};

struct Error {
  ErrorKind kind;
  std::string message;  // one line, names the path
};

template <class T>
using Result = tl::expected<T, Error>;

}  // namespace thresher::storage

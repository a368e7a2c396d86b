// What can go wrong in the store, as one line for a person and a kind for the exit code.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace thresher::storage {

enum class ErrorKind {
  kMissing,  // no store at this path
  kBusy,     // another process is the writer; the message names it
  kVersion,  // the store is of a format this program does not read
  kCorrupt,  // a checksum, a record or a row is not what it must be
  kDenied,   // permissions, read-only file systems
  kFull,     // no space left, quota
  kIo,       // any other failure of reading or writing
  kMisuse,   // e.g. writing through a reader
};

struct Error {
  ErrorKind kind;
  std::string message;  // one line, names the path
};

template <class T>
using Result = tl::expected<T, Error>;

}  // namespace thresher::storage

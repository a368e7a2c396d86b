// Errors of a store: those that storage reports, with the exit code of their kind, and those that the
// pipeline finds in what is stored.
//
// Used by everything that opens a model. Thread-safety: pure functions.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "pipeline/error.h"
#include "storage/error.h"

namespace thresher::pipeline {

// The same message, and the exit code of its kind.
inline Error FromStore(const storage::Error& error) {
  switch (error.kind) {
    case storage::ErrorKind::kMissing:
      return {kNoInput, error.message};
    case storage::ErrorKind::kBusy:
      return {kBusy, error.message};
    case storage::ErrorKind::kVersion:
      return {kConfig, error.message};
    case storage::ErrorKind::kCorrupt:
      return {kData, error.message};
    case storage::ErrorKind::kDenied:
      return {kCantCreate, error.message};
    case storage::ErrorKind::kUnreadable:
    case storage::ErrorKind::kFull:
    case storage::ErrorKind::kIo:
      return {kIo, error.message};
    case storage::ErrorKind::kMisuse:
      break;
  }
  return {kInternal, error.message};
}

// tl::unexpected(FromStore(…)), for the shortest way out.
inline tl::unexpected<Error> StoreFailure(const storage::Error& error) {
  return tl::unexpected(FromStore(error));
}

// "the store is corrupt: WHAT; …", kData.
inline Error CorruptStore(std::string_view what) {
  return {kData,
          fmt::format("the store is corrupt: {}; `thresher check` says more; restore it from a backup, or "
                      "remove it and teach again",
                      what)};
}

}  // namespace thresher::pipeline

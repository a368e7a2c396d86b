// A store's error as the pipeline's: the same message, and the exit code of its kind.
#pragma once

#include "pipeline/error.h"
#include "storage/error.h"

namespace thresher::pipeline {

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

}  // namespace thresher::pipeline

// Assertions on results of storage/ that print the error.
#pragma once

#include <gtest/gtest.h>

#include "storage/error.h"

namespace thresher::storage {

template <class T>
testing::AssertionResult Succeeded(const Result<T>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "error " << static_cast<int>(result.error().kind) << ": "
                                     << result.error().message;
}

template <class T>
testing::AssertionResult FailedWith(ErrorKind kind, const Result<T>& result) {
  if (result) return testing::AssertionFailure() << "succeeded";
  if (result.error().kind == kind && result.error().message.find('\n') == std::string::npos) {
    return testing::AssertionSuccess();
  }
  return Succeeded(result);
}

}  // namespace thresher::storage

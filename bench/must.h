// Unwraps the result of a call that must succeed: returns the value, or prints the error and ends the
// program.
//
// For results of thresher and statuses of RocksDB. Used by the benchmarks. Thread-safety: pure functions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace thresher::bench {

[[noreturn]] inline void GiveUp(const std::string& reason) {
  std::fprintf(stderr, "%s\n", reason.c_str());
  std::exit(1);
}

template <class T, class Error>
T Must(tl::expected<T, Error> result) {
  if (!result) GiveUp(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

template <class Status>
void MustBe(const Status& status) {
  if (!status.ok()) GiveUp(status.ToString());
}

}  // namespace thresher::bench

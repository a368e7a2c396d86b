// What a benchmark cannot go on without: the value, or the end of the program with the reason.
//
// For results of ours and for statuses of RocksDB's. Thread-safety: pure functions.
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

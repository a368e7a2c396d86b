// What commands call a model's log of examples, by what it holds (the setting log.holds).
//
// Called by those that print where a model stands in its log. Thread-safety: a pure function.
#pragma once

#include <string_view>

namespace thresher::pipeline {

// Both names have the same width.
constexpr std::string_view LogName(bool of_messages) {
  return of_messages ? "log of messages" : "log of features";
}

}  // namespace thresher::pipeline

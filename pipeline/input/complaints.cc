#include "pipeline/input/complaints.h"

#include <fmt/format.h>

#include <utility>

namespace thresher::pipeline {
namespace {

constexpr size_t kNamed = 3;

}  // namespace

void Complaints::Add(const Error& error) {
  if (++counts_[error.reason] <= kNamed || all_) complain_(error);
}

void Complaints::End() {
  for (const auto& [reason, count] : std::exchange(counts_, {})) {
    if (count > kNamed && !all_)
      complain_({kData, fmt::format("{} more: {}{}", count - kNamed, reason, more_)});
  }
}

}  // namespace thresher::pipeline

// Messages of a source, all at once, and bytes to make them from, for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/input/source.h"

namespace thresher::pipeline {

inline constexpr std::string_view kFrom = "From joe@example.com Thu Aug 22 12:36:23 2002\n";

struct Messages {
  std::vector<std::string> names;
  std::vector<std::string> bytes;
  std::vector<Error> errors;
};

Messages ReadMessages(const std::string& path, Format format = Format::kAuto, size_t limit = kMessageLimit);

// Mostly printable; the same bytes for the same seed.
std::string RandomBytes(size_t size, uint64_t seed);

}  // namespace thresher::pipeline

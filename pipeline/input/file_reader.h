// Reads a whole file into memory, decompressed.
//
// Called by replay and fit for each message of an index, and for the configuration file. Plain files take
// four system calls and no copy. Thread-safety: several threads may read into different strings.
#pragma once

#include <cstddef>
#include <string>

#include "pipeline/error.h"

namespace thresher::pipeline {

enum class Extent {
  kWhole,
  kCut,  // the file is longer than the limit
};

// Far more than the tokenizer reads; a longer file is hardly a message.
inline constexpr size_t kMessageLimit = 64u << 20;

// Replaces *bytes by the content of `path` ("-": standard input), at most `limit` bytes of it. Reuse the same
// string for several files: its memory is kept.
Result<Extent> ReadFile(const std::string& path, std::string* bytes, size_t limit = kMessageLimit);

}  // namespace thresher::pipeline

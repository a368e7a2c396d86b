// A whole file in memory, decompressed: what replay reads its messages with.
//
// Plain files take four system calls and no copy. Thread-safety: distinct strings may be filled by distinct
// threads.
#pragma once

#include <cstddef>
#include <string>

#include "pipeline/error.h"

namespace thresher::pipeline {

enum class Extent {
  kWhole,
  kCut,  // there is more than the limit
};

// Far more than the tokenizer looks at: what is longer is hardly a message.
inline constexpr size_t kMessageLimit = 64u << 20;

// Replaces *bytes by the content of `path` ("-": standard input), at most `limit` bytes of it. Keeps
// the string's memory: hand in the same one again.
Result<Extent> ReadFile(const std::string& path, std::string* bytes, size_t limit = kMessageLimit);

}  // namespace thresher::pipeline

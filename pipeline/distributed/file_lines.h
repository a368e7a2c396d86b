// The examples of a range of a file: those whose lines begin in it. Ranges that meet have each line once.
//
// The file is in libsvm's or Vowpal Wabbit's format, and not compressed. Called by file_share.cc.
// Thread-safety: pure functions, but for reading the file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "pipeline/error.h"
#include "pipeline/fit/example_lines.h"

namespace thresher::pipeline {

struct FileRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// The number of bytes. An error if it is no regular file, or is compressed: ranges of it cannot be read.
Result<uint64_t> SizeOfLines(const std::string& path);

// Errors name the file, and the byte where the line begins.
Result<void> ForEachLineOf(const std::string& path, const FileRange& range,
                           const std::function<void(const LineExample&)>& take);

}  // namespace thresher::pipeline

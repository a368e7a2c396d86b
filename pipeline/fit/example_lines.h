// Parses a line of libsvm's or Vowpal Wabbit's text format as an example: what `thresher export --examples`
// writes, and other files in libsvm's format.
//
//   -1 1:0.5 7:1.25                 libsvm: a label, then NUMBER:VALUE; # starts a comment
//   -1 'tag |f 1:0.5 7:1.25         Vowpal Wabbit: the same after a bar; a tag; without :VALUE, the value is
//   1
//
// Called by example_source.cc and, in a distributed fit, by file_lines.cc. Any line is an example or an
// error. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace thresher::pipeline {

struct LineExample {
  float target = 0;
  std::vector<uint64_t> numbers;  // distinct
  std::vector<float> values;      // finite
};

// Sets *example. The bar tells the formats apart. False for an empty line or a comment. The error says what
// is wrong and what was expected.
tl::expected<bool, std::string> ParseExampleLine(std::string_view line, LineExample* example);

}  // namespace thresher::pipeline

// A line of libsvm's or Vowpal Wabbit's text form as an example: what `thresher export --examples` writes,
// and files of others in libsvm's form.
//
//   -1 1:0.5 7:1.25                 libsvm: a label, then NUMBER:VALUE; # begins a comment
//   -1 'tag |f 1:0.5 7:1.25         Vowpal Wabbit: the same behind a bar; a tag; :VALUE may be missing, for 1
//
// Used by example_source.h. Total: any line is an example or an error. Thread-safety: pure functions.
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

// Into *example. Which form it is shows by the bar. False: an empty line or a comment. The error says what is
// wrong and what was expected.
tl::expected<bool, std::string> ParseExampleLine(std::string_view line, LineExample* example);

}  // namespace thresher::pipeline

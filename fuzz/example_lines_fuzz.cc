// ParseExampleLine on any bytes: gives an example, nothing, or an error. An example written in either format
// is read as the same example.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pipeline/fit/example_lines.h"

namespace {

using thresher::pipeline::LineExample;
using thresher::pipeline::ParseExampleLine;

void ExpectSame(const std::string& line, const LineExample& expected) {
  LineExample read;
  const auto parsed = ParseExampleLine(line, &read);
  if (!parsed || !*parsed || read.target != expected.target || read.numbers != expected.numbers ||
      read.values != expected.values)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  LineExample example;
  const auto parsed = ParseExampleLine({reinterpret_cast<const char*>(data), size}, &example);
  if (!parsed) {
    if (parsed.error().empty()) std::abort();
    return 0;
  }
  if (!*parsed) return 0;
  if (!std::isfinite(example.target) || example.numbers.size() != example.values.size()) std::abort();
  std::string features;
  for (size_t k = 0; k < example.numbers.size(); ++k) {
    if (!std::isfinite(example.values[k])) std::abort();
    features += fmt::format(" {}:{}", example.numbers[k], example.values[k]);
  }
  ExpectSame(fmt::format("{}{} # 'comment |", example.target, features), example);
  ExpectSame(fmt::format("{} 'tag#1 |f{}\r\n", example.target, features), example);
  return 0;
}

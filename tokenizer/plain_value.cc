#include "tokenizer/plain_value.h"

#include <cstddef>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {

std::string PlainValue(std::string_view value) {
  std::string plain;
  size_t depth = 0;
  bool is_quoted = false;
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '\\') {
      ++i;
    } else if (is_quoted) {
      is_quoted = c != '"';
    } else if (c == '(') {
      ++depth;
    } else if (depth > 0) {
      depth -= c == ')' ? 1 : 0;
    } else {
      plain += ToLowerAscii(c);
      is_quoted = c == '"';
    }
  }
  return plain;
}

}  // namespace thresher::tokenizer

#include "tokenizer/mime_guard.h"

#include <algorithm>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

bool EndsIn(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && EqualsIgnoringCase(text.substr(text.size() - word.size()), word);
}

// The end of the text before the first mention too many.
size_t EndOfContainers(std::string_view body, size_t containers) {
  for (size_t slash = body.find('/'); slash != std::string_view::npos; slash = body.find('/', slash + 1)) {
    const std::string_view before = body.substr(0, slash);
    if (!EndsIn(before, "multipart") && !EndsIn(before, "message")) continue;
    if (containers == 0) return slash;
    --containers;
  }
  return body.size();
}

size_t EndOfBoundaries(std::string_view body, size_t boundaries) {
  size_t line = 0;
  while (line < body.size()) {
    if (body.substr(line).starts_with("--")) {
      if (boundaries == 0) return line;
      --boundaries;
    }
    line = std::min(body.find('\n', line), body.size() - 1) + 1;
  }
  return body.size();
}

}  // namespace

std::string_view BoundStructure(std::string_view body, size_t containers, size_t boundaries) {
  body = body.substr(0, EndOfContainers(body, containers));
  return body.substr(0, EndOfBoundaries(body, boundaries));
}

}  // namespace thresher::tokenizer

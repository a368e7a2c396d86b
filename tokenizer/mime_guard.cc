#include "tokenizer/mime_guard.h"

#include <algorithm>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

bool EndsIn(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && EqualsIgnoringCase(text.substr(text.size() - word.size()), word);
}

// The text before the first container beyond the limit.
std::string_view BoundContainers(std::string_view body, size_t containers) {
  for (size_t slash = body.find('/'); slash != std::string_view::npos; slash = body.find('/', slash + 1)) {
    const std::string_view before = body.substr(0, slash);
    if (!EndsIn(before, "multipart") && !EndsIn(before, "message")) continue;
    if (containers == 0) return before;
    --containers;
  }
  return body;
}

bool MentionsMessage(std::string_view line) {
  const size_t slash = line.find('/');
  return slash != std::string_view::npos && EndsIn(line.substr(0, slash), "message");
}

// Counts lines against the limits.
class LineCounter {
 public:
  explicit LineCounter(const StructureLimits& limits)
      : boundaries_(limits.boundaries), fields_(limits.fields) {}

  // Returns false if the line exceeds a limit.
  bool Take(std::string_view line) {
    if (line.starts_with("--")) {
      if (boundaries_ == 0) return false;
      --boundaries_;
      in_head_ = true;
      embeds_ = false;
    } else if (in_head_) {
      return TakeHeadLine(line);
    }
    return true;
  }

 private:
  bool TakeHeadLine(std::string_view line) {
    if (line == "\n" || line == "\r\n") {
      in_head_ = embeds_;  // the head of an embedded message follows
      embeds_ = false;
      return true;
    }
    const size_t cost = 1 + static_cast<size_t>(std::count(line.begin(), line.end(), ';'));
    if (fields_ < cost) return false;
    fields_ -= cost;
    embeds_ = embeds_ || MentionsMessage(line);
    return true;
  }

  size_t boundaries_;
  size_t fields_;
  bool in_head_ = true;  // if `body` is an embedded message, it begins with its head
  bool embeds_ = false;  // this head declares an embedded message
};

}  // namespace

std::string_view BoundStructure(std::string_view body, const StructureLimits& limits) {
  body = BoundContainers(body, limits.containers);
  LineCounter counter(limits);
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('\n', begin), body.size() - 1) + 1;
    if (!counter.Take(body.substr(begin, end - begin))) return body.substr(0, begin);
    begin = end;
  }
  return body;
}

}  // namespace thresher::tokenizer

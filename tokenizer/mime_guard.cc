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

// `word` is in lower case.
bool Contains(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return ToLowerAscii(a) == b; }) != text.end();
}

// Counts lines against the limits.
class LineCounter {
 public:
  LineCounter(std::string_view type, const StructureLimits& limits)
      : boundaries_(limits.boundaries), fields_(limits.fields), has_digest_(Contains(type, "digest")) {}

  // Returns false if the line exceeds a limit.
  bool Take(std::string_view line) {
    if (line.starts_with("--")) {
      if (boundaries_ == 0) return false;
      --boundaries_;
      in_head_ = true;
      in_type_ = false;
      embeds_ = has_digest_;
    } else if (in_head_) {
      return TakeHeadLine(line);
    }
    return true;
  }

 private:
  bool TakeHeadLine(std::string_view line) {
    if (line == "\n" || line == "\r\n") {
      in_head_ = embeds_;  // the head of an embedded message follows
      in_type_ = embeds_ = false;
      return true;
    }
    const size_t cost = 1 + static_cast<size_t>(std::count(line.begin(), line.end(), ';'));
    if (fields_ < cost) return false;
    fields_ -= cost;
    NoteType(line);
    return true;
  }

  // GMime allows blanks and comments around the slash.
  void NoteType(std::string_view line) {
    const bool continues = line.front() == ' ' || line.front() == '\t';
    in_type_ = continues ? in_type_ : StartsWithIgnoringCase(line, "content-type");
    embeds_ = embeds_ || MentionsMessage(line) || (in_type_ && Contains(line, "message"));
    has_digest_ = has_digest_ || (in_type_ && Contains(line, "digest"));
  }

  size_t boundaries_;
  size_t fields_;
  bool in_head_ = true;   // if `body` is an embedded message, it begins with its head
  bool in_type_ = false;  // in the Content-Type of this head
  bool embeds_ = false;   // this head declares an embedded message, or none and is in a digest
  bool has_digest_;       // some multipart is one, whose parts are messages unless they say otherwise
};

}  // namespace

std::string_view BoundStructure(std::string_view body, std::string_view type, const StructureLimits& limits) {
  body = BoundContainers(body, limits.containers);
  LineCounter counter(type, limits);
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('\n', begin), body.size() - 1) + 1;
    if (!counter.Take(body.substr(begin, end - begin))) return body.substr(0, begin);
    begin = end;
  }
  return body;
}

}  // namespace thresher::tokenizer

#include "tokenizer/mime_guard.h"

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {
namespace {

// Lines of as many bytes are taken in pieces (line_stream.h).
constexpr size_t kLongLineBytes = 3900;
bool EndsIn(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && EqualsIgnoringCase(text.substr(text.size() - word.size()), word);
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

// Whether the line begins a header that describes a part.
bool Describes(std::string_view line) {
  return std::any_of(kHeadersOfBody.begin(), kHeadersOfBody.end(),
                     [line](std::string_view name) { return StartsWithIgnoringCase(line, name); });
}

// Changes a line in the copy for GMime, which is at `copy` and needs the structure only.
void Neutralise(std::string_view line, bool is_head, char* copy) {
  const bool is_other_header = IsAsciiLetter(line[0]) && !Describes(line);
  if (is_other_header) copy[0] = 'X';
  if (line.size() < kLongLineBytes || (Describes(line) && Contains(line, "boundary"))) return;
  // No piece of the line is a boundary. At a line of the head without a colon, GMime would stop.
  for (size_t dash = line.find("--", 1); dash != std::string_view::npos; dash = line.find("--", dash + 1))
    copy[dash] = 'x';
  if (is_head && is_other_header) copy[1] = ':';
}

// Counts lines against the limits.
class LineCounter {
 public:
  LineCounter(std::string_view type, const StructureLimits& limits)
      : containers_(limits.containers),
        boundaries_(limits.boundaries),
        fields_(limits.fields),
        has_digest_(Contains(type, "digest")) {}

  // Returns false if the line exceeds a limit.
  bool Take(std::string_view line) {
    if (line.starts_with("--")) {
      if (boundaries_ == 0) return false;
      --boundaries_;
      // In the head of an embedded message, GMime takes the line for a header.
      embeds_ = has_digest_ || (in_head_ && embeds_);
      in_head_ = true;
      in_type_ = false;
    } else if (in_head_) {
      return TakeHeadLine(line);
    }
    return true;
  }

  // Whether the next line may be one of a head.
  bool in_head() const { return in_head_; }

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
    return TakeType(line);
  }

  // GMime allows blanks and comments around the slash.
  bool TakeType(std::string_view line) {
    const bool continues = line.front() == ' ' || line.front() == '\t';
    in_type_ = continues ? in_type_ : StartsWithIgnoringCase(line, "content-type");
    const bool names_message = in_type_ && Contains(line, "message");
    embeds_ = embeds_ || names_message || MentionsMessage(line);
    if (!in_type_) return true;
    has_digest_ = has_digest_ || Contains(line, "digest");
    if (!names_message && !Contains(line, "multipart")) return true;
    if (containers_ == 0) return false;
    --containers_;
    return true;
  }

  size_t containers_;
  size_t boundaries_;
  size_t fields_;
  bool in_head_ = true;   // if `body` is an embedded message, it begins with its head
  bool in_type_ = false;  // in the Content-Type of this head
  bool embeds_ = false;   // this head declares an embedded message, or none and is in a digest
  bool has_digest_;       // some multipart is one, whose parts are messages unless they say otherwise
};

}  // namespace

std::string BoundStructure(std::string_view body, std::string_view type, const StructureLimits& limits) {
  std::string structure(body);
  LineCounter counter(type, limits);
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('\n', begin), body.size() - 1) + 1;
    const std::string_view line = body.substr(begin, end - begin);
    if (!counter.Take(line)) {
      structure.resize(begin);
      break;
    }
    Neutralise(line, counter.in_head(), structure.data() + begin);
    begin = end;
  }
  return structure;
}

}  // namespace thresher::tokenizer

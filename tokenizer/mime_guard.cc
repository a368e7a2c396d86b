#include "tokenizer/mime_guard.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/lines.h"
#include "tokenizer/message_head.h"
#include "tokenizer/mime_parameters.h"

namespace thresher::tokenizer {
namespace {

// Lines of as many bytes, and a subtype more, are taken in pieces (line_stream.h).
constexpr size_t kLongLineBytes = 3895;
// What BoundValue counts.
constexpr size_t kBytesPerField = 16;
constexpr size_t kFieldsPerCharset = 16;

// What the byte at i costs. GMime takes backslashes out of values before it looks for "=?". With a digit
// behind it, a "*" only numbers a piece.
size_t FieldsAt(std::string_view value, size_t i) {
  const char next = i + 1 < value.size() ? value[i + 1] : '\0';
  const bool may_convert =
      (value[i] == '=' && (next == '?' || next == '\\')) || (value[i] == '*' && !IsAsciiDigit(next));
  return (may_convert ? kFieldsPerCharset : 0) + (value[i] == ';' ? 1 : 0) +
         (i % kBytesPerField == kBytesPerField - 1 ? 1 : 0);
}

bool EndsIn(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && EqualsIgnoringCase(text.substr(text.size() - word.size()), word);
}

bool MentionsMessage(std::string_view line) {
  const size_t slash = line.find('/');
  return slash != std::string_view::npos && EndsIn(line.substr(0, slash), "message");
}

// Whether the line begins a header that describes a part.
bool Describes(std::string_view line) {
  return std::any_of(kHeadersOfBody.begin(), kHeadersOfBody.end(),
                     [line](std::string_view name) { return StartsWithIgnoringCase(line, name); });
}

// Whether the line begins a header that mail programs show of an embedded message.
bool IsShownHeader(std::string_view line) {
  if (!StartsWithIgnoringCase(line, "subject") && !StartsWithIgnoringCase(line, "from")) return false;
  const std::string_view name = Trim(line.substr(0, std::min(line.find(':'), line.size())));
  return EqualsIgnoringCase(name, "subject") || EqualsIgnoringCase(name, "from");
}

// Changes a line in the copy for GMime, which is at `copy` and needs the structure only.
void Neutralise(std::string_view line, bool is_head, char* copy) {
  const bool is_other_header = IsAsciiLetter(line[0]) && !Describes(line);
  if (is_other_header) copy[0] = is_head && IsShownHeader(line) ? kShownHeader : kOtherHeader;
  if (line.size() < kLongLineBytes || (Describes(line) && ContainsIgnoringCase(line, "boundary"))) return;
  // No piece of the line is a boundary. At a line of the head without a colon, GMime would stop.
  for (size_t dash = line.find("--", 1); dash != std::string_view::npos; dash = line.find("--", dash + 1))
    copy[dash] = 'x';
  if (is_head && is_other_header) copy[1] = ':';
}

// Counts lines against the limits.
class LineCounter {
 public:
  LineCounter(std::string_view type, const StructureLimits& limits)
      : left_(limits), has_digest_(ContainsIgnoringCase(type, "digest")) {}

  // Returns false if the line exceeds a limit.
  bool Take(std::string_view line) {
    if (line.starts_with("--")) {
      if (left_.boundaries == 0) return false;
      --left_.boundaries;
      // In the head of an embedded message, GMime takes the line for a header.
      embeds_ = has_digest_ || (in_head_ && embeds_);
      in_head_ = in_description_ = true;
      in_type_ = false;
    } else if (in_head_) {
      return TakeHeadLine(line);
    }
    return true;
  }

  // Whether the next line may be one of a head.
  bool in_head() const { return in_head_; }
  const StructureLimits& left() const { return left_; }

 private:
  bool TakeHeadLine(std::string_view line) {
    if (IsBlankLine(line)) {
      in_head_ = in_description_ = embeds_;  // the head of an embedded message follows
      in_type_ = embeds_ = false;
      return true;
    }
    if (left_.fields == 0) return false;
    --left_.fields;
    if (!IsContinuation(line)) in_description_ = Describes(line);
    if (in_description_ && BoundValue(line, &left_.fields).size() < line.size()) return false;
    return TakeType(line);
  }

  // GMime allows blanks and comments around the slash.
  bool TakeType(std::string_view line) {
    if (!IsContinuation(line)) in_type_ = StartsWithIgnoringCase(line, "content-type");
    const bool names_message = in_type_ && ContainsIgnoringCase(line, "message");
    embeds_ = embeds_ || names_message || MentionsMessage(line);
    if (!in_type_) return true;
    has_digest_ = has_digest_ || ContainsIgnoringCase(line, "digest");
    if (!names_message && !ContainsIgnoringCase(line, "multipart")) return true;
    if (left_.containers == 0) return false;
    --left_.containers;
    return true;
  }

  StructureLimits left_;
  bool in_head_ = true;         // if `body` is an embedded message, it begins with its head
  bool in_type_ = false;        // in the Content-Type of this head
  bool in_description_ = true;  // in a header that describes a part, or before the first header of this head
  bool embeds_ = false;         // this head declares an embedded message, or none and is in a digest
  bool has_digest_;             // some multipart is one, whose parts are messages unless they say otherwise
};

// Which headers that describe a part its head has so far, with a value. The first of each counts, as in the
// message's own head; for GMime the last one does.
class DescribedSoFar {
 public:
  void Clear() { has_ = {}; }

  // Whether there was one of the same name before `header`.
  bool IsAgain(std::string_view header) {
    for (size_t i = 0; i < kHeadersOfBody.size(); ++i) {
      if (!StartsWithIgnoringCase(header, kHeadersOfBody[i])) continue;
      const std::string_view rest = Trim(header.substr(kHeadersOfBody[i].size()));
      if (rest.starts_with(':')) return std::exchange(has_[i], has_[i] || rest.size() > 1);
    }
    return false;
  }

 private:
  std::array<bool, kHeadersOfBody.size()> has_{};
};

// The header at the start of `text`, with its continuation lines.
std::string_view FirstHeader(std::string_view text) {
  size_t size = FirstLine(text).size();
  while (IsContinuation(text.substr(size))) size += FirstLine(text.substr(size)).size();
  return text.substr(0, size);
}

// Where a header of a part lacks the subtype; npos if it does not.
size_t PlaceOfMissingSubtypeIn(std::string_view header) {
  const size_t value = header.find(':') + 1;
  if (value == 0 || !StartsWithIgnoringCase(header, kHeadersOfBody[0])) return std::string_view::npos;
  const size_t place = PlaceOfMissingSubtype(header.substr(value));
  return place == std::string_view::npos ? place : value + place;
}

// Mail programs end lines at a CR alone, too. Returns whether there is one.
bool EndLinesAtCr(std::string* text) {
  bool found = false;
  for (size_t i = text->find('\r'); i != std::string::npos; i = text->find('\r', i + 1)) {
    if (i + 1 < text->size() && (*text)[i + 1] == '\n') continue;
    (*text)[i] = '\n';
    found = true;
  }
  return found;
}

std::string WithSubtypesAt(const std::vector<size_t>& places, std::string text) {
  if (places.empty()) return text;
  std::string whole;
  size_t begin = 0;
  for (const size_t place : places) {
    whole.append(text, begin, place - begin).append(kMissingSubtype);
    begin = place;
  }
  return whole.append(text, begin);
}

}  // namespace

std::string_view BoundValue(std::string_view value, size_t* fields) {
  size_t size = 0;
  for (; size < value.size(); ++size) {
    const size_t cost = FieldsAt(value, size);
    if (cost > *fields) break;
    *fields -= cost;
  }
  return value.substr(0, size);
}

size_t BoundedBody::PlaceInBody(size_t place) const {
  size_t before = 0;
  while (before < added.size() && added[before] + (before + 1) * kMissingSubtype.size() <= place) ++before;
  return place - before * kMissingSubtype.size();
}

BoundedBody BoundStructure(std::string_view original, std::string_view type, const StructureLimits& limits) {
  std::string structure(original);
  const std::string with_lines = EndLinesAtCr(&structure) ? structure : std::string();
  const std::string_view body = with_lines.empty() ? original : with_lines;
  std::vector<size_t> added;
  LineCounter counter(type, limits);
  DescribedSoFar described;
  for (size_t begin = 0; begin < body.size();) {
    const std::string_view line = FirstLine(body.substr(begin));
    if (!counter.Take(line)) {
      structure.resize(begin);
      break;
    }
    char* const copy = structure.data() + begin;
    if (line.starts_with("--") || IsBlankLine(line)) described.Clear();
    if (counter.in_head() && Describes(line)) {
      const std::string_view header = FirstHeader(body.substr(begin));
      BlankBadParameters({copy, header.size()});
      const size_t place = PlaceOfMissingSubtypeIn({copy, header.size()});
      if (place != std::string_view::npos) added.push_back(begin + place);
      if (described.IsAgain(header)) copy[0] = kOtherHeader;
    }
    Neutralise(line, counter.in_head(), copy);
    begin += line.size();
  }
  std::erase_if(added, [&](size_t place) { return place > structure.size(); });
  return {WithSubtypesAt(added, std::move(structure)), std::move(added), counter.left()};
}

std::string_view SeemingBoundary(std::string_view body) {
  constexpr size_t kLongest = 200;
  while (!body.empty()) {
    const std::string_view line = FirstLine(body);
    body.remove_prefix(line.size());
    if (!line.starts_with("--") || !StartsWithIgnoringCase(body, "content-")) continue;
    const std::string_view boundary = Trim(line.substr(2));
    const bool can_be_quoted = boundary.find_first_of("\"\\") == std::string_view::npos;
    if (!boundary.empty() && boundary.size() <= kLongest && can_be_quoted) return boundary;
  }
  return {};
}

}  // namespace thresher::tokenizer

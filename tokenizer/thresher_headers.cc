#include "tokenizer/thresher_headers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/head_scanner.h"
#include "tokenizer/lines.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {
namespace {

// Of thresher's headers. X-Thresher stands for all names that begin so, every other one for itself.
class Names {
 public:
  explicit Names(const OwnMarks& marks) {
    Add(kThresherHeader);
    if (!StartsWithIgnoringCase(marks.header, kThresherHeader)) Add(marks.header);
    if (!marks.spam_headers) return;
    Add(kSpamFlagHeader);
    Add(kSpamStatusHeader);
  }
  const std::string_view* begin() const { return names_.data(); }
  const std::string_view* end() const { return names_.data() + count_; }

 private:
  void Add(std::string_view name) { names_[count_++] = name; }

  std::array<std::string_view, 4> names_;
  size_t count_ = 0;
};

// What of a name has been read. NUL does not count.
class NameMatch {
 public:
  enum class State { kOpen, kMatched, kFailed };

  explicit NameMatch(std::string_view name) : name_(name), is_beginning_(name == kThresherHeader) {}

  State Read(char c) {
    if (c == '\0') return State::kOpen;
    if (IsRead()) return IsNameByte(c) ? State::kFailed : State::kMatched;
    if (ToLowerAscii(c) != ToLowerAscii(name_[matched_])) return State::kFailed;
    ++matched_;
    return IsRead() && is_beginning_ ? State::kMatched : State::kOpen;
  }
  bool HasBegun() const { return matched_ > 0; }
  // Whether the name may end here.
  bool IsRead() const { return matched_ == name_.size(); }

 private:
  static bool IsNameByte(char c) { return static_cast<unsigned char>(c) > ' ' && c != ':' && c != '\x7f'; }

  std::string_view name_;
  bool is_beginning_;
  size_t matched_ = 0;
};

// Whether one of thresher's names stands at the start of `text`, NUL among its bytes.
bool StartsWithName(std::string_view text, std::string_view name) {
  NameMatch match(name);
  for (const char c : text) {
    const NameMatch::State state = match.Read(c);
    if (state != NameMatch::State::kOpen) return state == NameMatch::State::kMatched;
  }
  return match.IsRead();
}

bool StartsWithOwnName(std::string_view text, const Names& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return StartsWithName(text, name); });
}

// Whether `line` begins with the name for who removes CR: also if the pieces of that name are put together by
// the removal of a header of thresher's that stands between two CR.
bool BeginsHeaderOf(std::string_view line, std::string_view name, const Names& names) {
  NameMatch match(name);
  while (true) {
    const std::string_view piece = line.substr(0, line.find('\r'));
    const bool is_header = StartsWithOwnName(piece, names);
    if (is_header && !match.HasBegun()) return true;
    for (const char c : is_header ? std::string_view() : piece) {
      const NameMatch::State state = match.Read(c);
      if (state != NameMatch::State::kOpen) return state == NameMatch::State::kMatched;
    }
    if (match.IsRead() || piece.size() == line.size()) return match.IsRead();
    line.remove_prefix(piece.size() + 1);
  }
}

bool BeginsHeader(std::string_view line, const Names& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return BeginsHeaderOf(line, name, names); });
}

// Thresher writes its header on one line that names the version, so a folded line below that line belongs to
// the message itself. If another program folded thresher's header, the version stands further down.
bool TakesContinuations(std::string_view line) { return line.find("version=") == std::string_view::npos; }

struct Span {
  size_t begin;
  size_t end;
};

// Finds what is to be removed, in the order of the message. Bytes before the end of the last span that Next
// gave may have changed when Next is called again.
class Finder {
 public:
  Finder(std::string_view message, const OwnMarks& marks) : message_(message), names_(marks) {}

  std::optional<Span> Next() {
    while (true) {
      if (const auto span = NextInLine()) return span;
      const std::string_view line = NextLine();
      if (BeginsHeader(line, names_)) return WholeField(line);
      head_ended_ = EndsHead(line);
      if (line.empty() || head_ended_) return std::nullopt;
    }
  }
  // When Next has given nothing.
  bool head_ended() const { return head_ended_; }

 private:
  // The line after the current one, which becomes the current one. Empty at the end.
  std::string_view NextLine() {
    const std::string_view line = FirstLine(message_.substr(line_end_));
    at_ = line_end_;
    line_end_ += line.size();
    return line;
  }

  // The header of which `line`, the current one, is the first line.
  Span WholeField(std::string_view line) {
    const size_t begin = at_;
    while (TakesContinuations(line) && IsContinuation(message_.substr(line_end_))) line = NextLine();
    at_ = line_end_;
    return {begin, line_end_};
  }

  // A header behind a CR in what is left of the current line. The CR before it is removed with it, and what
  // ends it stays.
  std::optional<Span> NextInLine() {
    while (const auto cr = Find('\r', at_)) {
      // With all CR of a row: one that stayed before the line's LF would change how the line ends.
      at_ = std::min(message_.find_first_not_of('\r', *cr), line_end_);
      if (!StartsWithOwnName(Left(at_), names_)) continue;
      at_ = Find('\r', at_).value_or(EndOfText());
      return Span{*cr, at_};
    }
    return std::nullopt;
  }

  // The current line from there on.
  std::string_view Left(size_t from) const { return message_.substr(from, line_end_ - from); }

  std::optional<size_t> Find(char c, size_t from) const {
    const size_t offset = Left(from).find(c);
    return offset == std::string_view::npos ? std::nullopt : std::optional(from + offset);
  }

  // Of the current line, without its LF.
  size_t EndOfText() const { return line_end_ - (message_[line_end_ - 1] == '\n' ? 1 : 0); }

  // Whether `line` ends the head for all programs. The first line that stays decides which empty line does.
  bool EndsHead(std::string_view line) {
    if (empty_line_.empty()) empty_line_ = line.ends_with("\r\n") ? "\r\n" : "\n";
    return line == empty_line_;
  }

  std::string_view message_;
  Names names_;
  std::string_view empty_line_;
  bool head_ended_ = false;
  size_t at_ = 0;        // all before it was looked at
  size_t line_end_ = 0;  // of the current line, the one with at_
};

}  // namespace

void RemoveThresherHeaders(std::string* message, const OwnMarks& marks) {
  Finder finder(*message, marks);
  size_t kept = 0;  // the bytes before it are in place
  size_t read = 0;
  const auto move_until = [&](size_t end) {
    if (kept != read) std::memmove(message->data() + kept, message->data() + read, end - read);
    kept += end - read;
  };
  while (const auto own = finder.Next()) {
    move_until(own->begin);
    read = own->end;
  }
  move_until(message->size());
  message->resize(kept);
}

bool HasWholeHead(std::string_view message, const OwnMarks& marks) {
  Finder finder(message, marks);
  while (finder.Next()) {
  }
  return finder.head_ended();
}

std::string_view WithoutThresherHeaders(std::string_view message, std::string* buffer,
                                        const OwnMarks& marks) {
  buffer->clear();
  Finder finder(message, marks);
  size_t read = 0;
  while (const auto own = finder.Next()) {
    buffer->append(message.substr(read, own->begin - read));
    read = own->end;
  }
  if (read == 0) return message;
  buffer->append(message.substr(read));
  return *buffer;
}

std::string_view WithoutMarks(std::string_view message, std::string* buffer, const OwnMarks& marks) {
  message = WithoutThresherHeaders(message, buffer, marks);
  if (marks.subject_tag.empty()) return message;
  const std::optional<size_t> place = PlaceOfSubjectTag(message);
  if (!place || !HasSubjectTag(message, *place, marks.subject_tag)) return message;
  if (buffer->empty()) buffer->assign(message);
  return buffer->erase(*place, marks.subject_tag.size() + 1);
}

std::optional<size_t> PlaceOfSubjectTag(std::string_view message) {
  HeadScanner scanner(message);
  for (HeaderField field; scanner.Next(&field);) {
    if (!EqualsIgnoringCase(field.name, "subject")) continue;
    const auto begin = static_cast<size_t>(field.value.data() - message.data());
    return begin + std::min(field.value.find_first_not_of(" \t"), field.value.size());
  }
  return std::nullopt;
}

bool HasSubjectTag(std::string_view message, size_t place, std::string_view tag) {
  return message.substr(place).starts_with(tag) && message.substr(place + tag.size()).starts_with(' ');
}

std::vector<std::string_view> ThresherHeaders(std::string_view message, size_t most, const OwnMarks& marks) {
  std::vector<std::string_view> headers;
  Finder finder(message, marks);
  while (headers.size() < most) {
    const auto own = finder.Next();
    if (!own) break;
    headers.push_back(message.substr(own->begin, own->end - own->begin));
  }
  return headers;
}

HeaderPlace PlaceOfHeader(std::string_view message) {
  return {.position = FromLines(message).size(),
          .line_end = FirstLine(message).ends_with("\r\n") ? "\r\n" : "\n"};
}

}  // namespace thresher::tokenizer

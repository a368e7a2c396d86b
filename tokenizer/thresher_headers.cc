#include "tokenizer/thresher_headers.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/head_scanner.h"
#include "tokenizer/lines.h"

namespace thresher::tokenizer {
namespace {

bool IsNameByte(char c, size_t at) { return ToLowerAscii(c) == ToLowerAscii(kThresherHeader[at]); }

// The number of bytes of the name at the start of `text`, NUL among them, if that is one of thresher's, else
// 0.
size_t NameSize(std::string_view text) {
  size_t matched = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') continue;
    if (!IsNameByte(text[i], matched)) return 0;
    if (++matched == kThresherHeader.size()) return i + 1;
  }
  return 0;
}

// Whether `line` begins with a name of thresher's for who removes CR: also if the pieces of that name are put
// together by the removal of a header of thresher's that stands between two CR.
bool BeginsHeader(std::string_view line) {
  size_t matched = 0;
  while (true) {
    const std::string_view piece = line.substr(0, line.find('\r'));
    const bool is_header = NameSize(piece) > 0;
    if (is_header && matched == 0) return true;
    for (const char c : is_header ? std::string_view() : piece) {
      if (c == '\0') continue;
      if (!IsNameByte(c, matched)) return false;
      if (++matched == kThresherHeader.size()) return true;
    }
    if (piece.size() == line.size()) return false;
    line.remove_prefix(piece.size() + 1);
  }
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
  explicit Finder(std::string_view message) : message_(message) {}

  std::optional<Span> Next() {
    while (true) {
      if (const auto span = NextInLine()) return span;
      const std::string_view line = NextLine();
      if (BeginsHeader(line)) return WholeField(line);
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
      const size_t name_size = NameSize(Left(at_));
      if (name_size == 0) continue;
      at_ = Find('\r', at_ + name_size).value_or(EndOfText());
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
  std::string_view empty_line_;
  bool head_ended_ = false;
  size_t at_ = 0;        // all before it was looked at
  size_t line_end_ = 0;  // of the current line, the one with at_
};

}  // namespace

void RemoveThresherHeaders(std::string* message) {
  Finder finder(*message);
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

bool HasWholeHead(std::string_view message) {
  Finder finder(message);
  while (finder.Next()) {
  }
  return finder.head_ended();
}

std::string_view WithoutThresherHeaders(std::string_view message, std::string* buffer) {
  buffer->clear();
  Finder finder(message);
  size_t read = 0;
  while (const auto own = finder.Next()) {
    buffer->append(message.substr(read, own->begin - read));
    read = own->end;
  }
  if (read == 0) return message;
  buffer->append(message.substr(read));
  return *buffer;
}

std::vector<std::string_view> ThresherHeaders(std::string_view message, size_t most) {
  std::vector<std::string_view> headers;
  Finder finder(message);
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

#include "tokenizer/head_scanner.h"

#include <cstring>

namespace thresher::tokenizer {
namespace {

bool IsBlankLine(std::string_view line) { return line == "\n" || line == "\r\n"; }

bool IsFromLine(std::string_view line) {
  // A line without its end could not stand before thresher's header.
  return (line.starts_with("From ") || line.starts_with(">From ")) && line.back() == '\n';
}

std::string_view WithoutLineEnd(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The header's name, if the line begins with one: bytes above space (also 8-bit ones, which spam has),
// optional spaces, and a colon.
std::string_view NameOf(std::string_view line) {
  size_t end = 0;
  while (end < line.size() && static_cast<unsigned char>(line[end]) > ' ' && line[end] != ':' &&
         line[end] != '\x7f')
    ++end;
  size_t colon = end;
  while (colon < line.size() && (line[colon] == ' ' || line[colon] == '\t')) ++colon;
  if (end == 0 || colon == line.size() || line[colon] != ':') return {};
  return line.substr(0, end);
}

// Thresher writes its header on one line that names the version, so a folded line below that line was the
// first line of the message itself. If another program folded thresher's header, the version stands further
// down.
bool TakesContinuations(std::string_view name, std::string_view line) {
  return !IsOwnHeader(name) || line.find("version=") == std::string_view::npos;
}

}  // namespace

HeadScanner::HeadScanner(std::string_view message) : message_(message) {
  for (std::string_view line = LineAt(0); IsFromLine(line); line = LineAt(from_end_))
    from_end_ += line.size();
  position_ = from_end_;
}

std::string_view HeadScanner::LineAt(size_t position) const {
  const std::string_view tail = message_.substr(position);
  if (tail.empty()) return tail;
  const void* end = std::memchr(tail.data(), '\n', tail.size());
  if (end == nullptr) return tail;
  return tail.substr(0, static_cast<size_t>(static_cast<const char*>(end) - tail.data()) + 1);
}

bool HeadScanner::Next(HeaderField* field) {
  std::string_view line = LineAt(position_);
  if (line.empty() || IsBlankLine(line)) return false;
  const std::string_view name = NameOf(line);
  if (name.empty()) {
    if (!seen_header_) return false;
    *field = {.name = {}, .value = {}, .bytes = line};
    position_ += line.size();
    return true;
  }
  seen_header_ = seen_header_ || !IsOwnHeader(name);
  const size_t begin = position_;
  position_ += line.size();
  while (IsContinuation(message_.substr(position_)) && TakesContinuations(name, line)) {
    line = LineAt(position_);
    position_ += line.size();
  }
  const std::string_view bytes = message_.substr(begin, position_ - begin);
  const size_t colon = bytes.find(':', name.size());
  *field = {.name = name, .value = WithoutLineEnd(bytes.substr(colon + 1)), .bytes = bytes};
  return true;
}

std::string_view HeadScanner::Body() const {
  const std::string_view line = LineAt(position_);
  return message_.substr(position_ + (IsBlankLine(line) ? line.size() : 0));
}

}  // namespace thresher::tokenizer

#include "tokenizer/head_scanner.h"

#include "tokenizer/lines.h"

namespace thresher::tokenizer {
namespace {

// A line without its end could not stand before thresher's header. "From : joe@example.com" is a header.
bool IsFromLine(std::string_view line) {
  if (line.starts_with('>')) line.remove_prefix(1);
  constexpr std::string_view kFrom = "From ";
  if (!line.starts_with(kFrom) || !line.ends_with('\n')) return false;
  return line.find_first_not_of(" \t", kFrom.size()) != line.find(':', kFrom.size());
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

}  // namespace

HeadScanner::HeadScanner(std::string_view message) : rest_(message.substr(FromLines(message).size())) {}

std::string_view HeadScanner::TakeLine() {
  const std::string_view line = FirstLine(rest_);
  rest_.remove_prefix(line.size());
  return line;
}

bool HeadScanner::Next(HeaderField* field) {
  const std::string_view line = FirstLine(rest_);
  if (line.empty() || IsBlankLine(line)) return false;
  const std::string_view name = NameOf(line);
  if (name.empty() && !seen_header_) return false;
  const std::string_view begin = rest_;
  TakeLine();
  if (name.empty()) {
    *field = {.name = {}, .value = {}, .bytes = line};
    return true;
  }
  seen_header_ = true;
  while (IsContinuation(rest_)) TakeLine();
  const std::string_view bytes = begin.substr(0, begin.size() - rest_.size());
  const size_t colon = bytes.find(':', name.size());
  *field = {.name = name, .value = WithoutLineEnd(bytes.substr(colon + 1)), .bytes = bytes};
  return true;
}

std::string_view HeadScanner::Body() const {
  const std::string_view line = FirstLine(rest_);
  return IsBlankLine(line) ? rest_.substr(line.size()) : rest_;
}

std::string_view FromLines(std::string_view message) {
  size_t end = 0;
  for (std::string_view line = FirstLine(message); IsFromLine(line); line = FirstLine(message.substr(end)))
    end += line.size();
  return message.substr(0, end);
}

}  // namespace thresher::tokenizer

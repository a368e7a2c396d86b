#include "pipeline/terminal/shell_word.h"

#include <fmt/format.h>

#include <algorithm>

namespace thresher::pipeline {
namespace {

bool IsControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

bool IsSafe(char c) {
  constexpr std::string_view kMarks = "_-./+,:@%=";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80 || kMarks.find(c) != std::string_view::npos;
}

}  // namespace

std::string ShellWord(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), IsSafe)) return std::string(text);
  const bool escapes = std::any_of(text.begin(), text.end(), IsControl);
  std::string word = escapes ? "$'" : "'";
  for (const char c : text) {
    if (escapes && (IsControl(c) || c == '\'' || c == '\\')) {
      word += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word += '\'';
}

}  // namespace thresher::pipeline

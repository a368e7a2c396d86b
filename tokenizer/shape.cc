#include "tokenizer/shape.h"

#include <bit>
#include <charconv>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kMaxShape = 48;
constexpr size_t kMaxPrintable = 100;

char ShapeOfByte(char c) {
  if (!IsAscii(c)) return 'u';
  if (IsAsciiDigit(c)) return '0';
  if (IsAsciiLetter(c)) return c <= 'Z' ? 'A' : 'a';
  return c <= ' ' || c == '\x7f' ? '_' : c;
}

}  // namespace

void ShapeOf(std::string_view text, std::string* out) {
  out->clear();
  for (const char c : text) {
    const char shape = ShapeOfByte(c);
    const bool runs = shape == '_' || IsAsciiWordByte(shape);
    if (runs && !out->empty() && out->back() == shape) continue;
    if (out->size() == kMaxShape) return;
    out->push_back(shape);
  }
}

std::string_view Printable(std::string_view text, std::string* scratch) {
  scratch->assign(text.substr(0, kMaxPrintable));
  for (char& c : *scratch) {
    if (c < ' ' || c > '~') c = '?';
  }
  return *scratch;
}

Bucket::Bucket(uint64_t count) {
  constexpr uint64_t largest = uint64_t{1} << 63;
  const uint64_t bucket = count < 2 || count > largest ? count : std::bit_ceil(count);
  size_ = static_cast<size_t>(std::to_chars(digits_.data(), digits_.data() + digits_.size(), bucket).ptr -
                              digits_.data());
}

}  // namespace thresher::tokenizer

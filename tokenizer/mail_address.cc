#include "tokenizer/mail_address.h"

#include <utility>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kAddressBytes = 1024;

constexpr ByteSet kBetweenAddresses("<>()[],;:\"\\'\x7f");

bool InAddress(char c) { return c > ' ' ? !kBetweenAddresses.Has(c) : !IsAscii(c); }

// The text before the comma that ends the first address. A name may have commas, too, and in quotation marks
// or brackets anything.
std::string_view FirstOfList(std::string_view value) {
  bool is_quoted = false;
  size_t depth = 0;  // of comments
  bool has_address = false;
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '\\') {
      ++i;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == '(') {
      ++depth;
    } else if (depth > 0) {
      depth -= c == ')' ? 1 : 0;
    } else if (!is_quoted) {
      if (c == ',' && has_address) return value.substr(0, i);
      has_address = has_address || c == '@';
    }
  }
  return value;
}

}  // namespace

std::string FirstAddress(std::string_view value) {
  value = FirstOfList(value.substr(0, kAddressBytes));
  // The one in angle brackets, so that an address in the display name does not count.
  const size_t bracket = value.rfind('<');
  if (bracket != std::string_view::npos && value.find('@', bracket) != std::string_view::npos)
    value.remove_prefix(bracket);
  const size_t at = value.find('@');
  if (at == std::string_view::npos) return {};
  size_t begin = at;
  while (begin > 0 && InAddress(value[begin - 1]) && value[begin - 1] != '@') --begin;
  size_t end = at + 1;
  while (end < value.size() && InAddress(value[end]) && value[end] != '@') ++end;
  while (end > at + 1 && value[end - 1] == '.') --end;
  return end == at + 1 ? std::string() : LowerAscii(value.substr(begin, end - begin));
}

std::string_view DomainOf(std::string_view address) {
  const size_t at = address.rfind('@');
  return at == std::string_view::npos ? std::string_view() : address.substr(at + 1);
}

std::string AddressIn(const MessageHead& head, std::string_view name) {
  for (const HeaderField& field : head.fields) {
    if (EqualsIgnoringCase(field.name, name)) return FirstAddress(field.value);
  }
  return {};
}

bool AreAligned(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  return !b.empty() && a.ends_with(b) && (a.size() == b.size() || a[a.size() - b.size() - 1] == '.');
}

}  // namespace thresher::tokenizer

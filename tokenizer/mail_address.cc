#include "tokenizer/mail_address.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_name.h"

namespace thresher::tokenizer {
namespace {

constexpr ByteSet kBetweenAddresses("<>()[],;:\"\\'@\x7f");
constexpr char kQuoted = 'q';
constexpr size_t kNowhere = std::string_view::npos;

bool InAddress(char c) { return c > ' ' ? !kBetweenAddresses.Has(c) : !IsAscii(c); }

// Where the quoted text that begins at `open` ends; kNowhere if it does not.
size_t EndOfQuoted(std::string_view value, size_t open) {
  for (size_t i = open + 1; i < value.size(); ++i) {
    if (value[i] == '"') return i;
    if (value[i] == '\\') ++i;
  }
  return kNowhere;
}

// The value as far as its signs mean something, each at its place: blanks stand for comments, kQuoted for
// what is between quotation marks. A quotation mark or bracket that nothing closes is a byte like others.
std::string SignsOf(std::string_view value) {
  std::string signs(value);
  if (value.find_first_of("\"(") == kNowhere) return signs;
  bool may_quote = true;
  std::vector<size_t> open;
  std::vector<std::pair<size_t, size_t>> comments;  // the outermost: begin, end
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '"' && open.empty() && may_quote) {
      const size_t end = EndOfQuoted(value, i);
      may_quote = end != kNowhere;
      for (; may_quote && i + 1 < end; ++i) signs[i + 1] = kQuoted;
      i += may_quote ? 1 : 0;
    } else if (c == '\\' && !open.empty()) {
      ++i;
    } else if (c == '(') {
      open.push_back(i);
    } else if (c == ')' && !open.empty()) {
      while (!comments.empty() && comments.back().first > open.back()) comments.pop_back();
      comments.emplace_back(open.back(), i + 1);
      open.pop_back();
    }
  }
  for (const auto& [begin, end] : comments) std::fill(signs.data() + begin, signs.data() + end, ' ');
  return signs;
}

// Where the first address of a header is.
struct Place {
  size_t begin = 0;
  size_t end = 0;
  size_t bracket = kNowhere;  // before the address, if it is in angle brackets
};

// `signs`: of SignsOf. A comma ends the first address, but names have commas, too, and so do routes
// ("<@a.example,@b.example:joe@example.com>"). Of several addresses in brackets the last one counts, so that
// one in the name does not.
Place PlaceOfFirst(std::string_view signs) {
  Place place = {.end = signs.size()};
  size_t open = kNowhere;
  bool has_address = false;
  bool in_route = false;
  char last = '<';  // that is not blank
  for (size_t i = 0; i < signs.size() && place.end == signs.size(); ++i) {
    const char c = signs[i];
    if (IsAsciiSpace(c)) continue;
    if (c == '<') open = i;
    if (c == '>') open = kNowhere;
    if (c == '@') {
      in_route = in_route || last == '<';
      has_address = true;
      if (open != kNowhere) place.bracket = open;
    }
    if (c == ':' || c == '>') in_route = false;
    if (c == ',' && has_address && !in_route) place.end = i;
    last = c;
  }
  if (place.bracket == kNowhere) return place;
  place.begin = place.bracket + 1;
  place.end = std::min(place.end, signs.find('>', place.begin));
  return place;
}

size_t SkipBlanks(std::string_view signs, size_t i) {
  while (i < signs.size() && IsAsciiSpace(signs[i])) ++i;
  return i;
}

// What is before an "@", of which `value` and `signs` have no more.
std::string LocalPartAtEndOf(std::string_view value, std::string_view signs) {
  while (!signs.empty() && IsAsciiSpace(signs.back())) signs.remove_suffix(1);
  size_t begin = signs.size();
  if (!signs.ends_with('"')) {
    while (begin > 0 && InAddress(signs[begin - 1])) --begin;
    return std::string(value.substr(begin, signs.size() - begin));
  }
  std::string plain;
  begin = signs.find_last_not_of(kQuoted, begin - 2) + 1;
  for (size_t i = begin; i + 1 < signs.size(); ++i) {
    if (value[i] == '\\' && i + 2 < signs.size()) ++i;
    plain += value[i];
  }
  return plain;
}

// Around which dots of a domain blanks may be.
enum class Blanks : uint8_t { kNone, kAroundInnerDots, kAroundDots };

bool InLabel(char c) { return IsAsciiWordByte(c) || !IsAscii(c); }

// Whether a dot continues the domain that ends before `next`, which is behind blanks; `is_behind_dot`:
// whether the domain ends with one.
bool GoesOn(std::string_view signs, size_t next, bool is_behind_dot, Blanks blanks) {
  if (blanks == Blanks::kNone || next == signs.size()) return false;
  const bool is_dot = signs[next] == '.';
  if (blanks == Blanks::kAroundDots) return is_dot || is_behind_dot;
  const size_t label = is_dot ? SkipBlanks(signs, next + 1) : next;
  return is_dot != is_behind_dot && label < signs.size() && InLabel(signs[label]);
}

// What is at the start of `value`, behind an "@" and blanks.
std::string DomainAtStartOf(std::string_view value, std::string_view signs, Blanks blanks) {
  std::string domain;
  for (size_t i = 0; i < signs.size() && InAddress(signs[i]);) {
    domain += value[i++];
    const size_t next = SkipBlanks(signs, i);
    if (GoesOn(signs, next, domain.back() == '.', blanks)) i = next;
  }
  while (domain.ends_with('.')) domain.pop_back();
  return AsciiDomain(LowerAscii(domain));
}

}  // namespace

std::string FirstAddress(std::string_view value) {
  const std::string all_signs = SignsOf(value);
  Place place = PlaceOfFirst(all_signs);
  const auto signs = [&] { return std::string_view(all_signs).substr(place.begin, place.end - place.begin); };
  // A route counts for nothing, as in mail programs.
  if (Trim(signs()).starts_with('@')) {
    const size_t colon = signs().rfind(':', signs().rfind('@'));
    if (colon != kNowhere) place.begin += colon + 1;
  }
  const size_t at = signs().find('@');
  if (at == kNowhere) return AddressInName(value);
  value = value.substr(place.begin, place.end - place.begin);
  const size_t begin = SkipBlanks(signs(), at + 1);
  const Blanks blanks = place.bracket != kNowhere ? Blanks::kAroundDots : Blanks::kAroundInnerDots;
  const std::string domain = DomainAtStartOf(value.substr(begin), signs().substr(begin), blanks);
  if (domain.empty()) return {};
  return LowerAscii(LocalPartAtEndOf(value.substr(0, at), signs().substr(0, at))) + "@" + domain;
}

std::string AddressInName(std::string_view name) {
  const size_t at = name.find('@');
  if (at == kNowhere) return {};
  size_t begin = at;
  while (begin > 0 && InAddress(name[begin - 1])) --begin;
  const std::string domain = DomainAtStartOf(name.substr(at + 1), name.substr(at + 1), Blanks::kNone);
  return domain.empty() ? std::string() : LowerAscii(name.substr(begin, at + 1 - begin)) + domain;
}

size_t BracketOfFirst(std::string_view value) { return PlaceOfFirst(SignsOf(value)).bracket; }

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

Senders SendersOf(const MessageHead& head) {
  return {.from = AddressIn(head, "from"), .reply_to = AddressIn(head, "reply-to")};
}

bool AreAligned(std::string_view a, std::string_view b) {
  std::string ascii_a;
  std::string ascii_b;
  if (AsciiPrefix(a) < a.size()) a = ascii_a = AsciiDomain(a);
  if (AsciiPrefix(b) < b.size()) b = ascii_b = AsciiDomain(b);
  if (a.size() < b.size()) std::swap(a, b);
  return !b.empty() && a.ends_with(b) && (a.size() == b.size() || a[a.size() - b.size() - 1] == '.');
}

}  // namespace thresher::tokenizer

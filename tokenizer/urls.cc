#include "tokenizer/urls.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_name.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kUrlBytes = 4096;
constexpr size_t kHostBytes = 255;  // of DNS
constexpr size_t kPathWords = 16;
constexpr size_t kPathWordBytes = 64;
constexpr auto kSchemes = std::to_array<std::string_view>({"http", "https", "ftp", "mailto"});

bool IsHostByte(char c) { return IsAsciiWordByte(c) || c == '-' || c == '_' || !IsAscii(c); }
bool IsInHost(char c) { return IsHostByte(c) || c == '.' || c == '%'; }

// White space, controls, quotes and brackets end a URL in text.
bool EndsUrl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte == 0x7F || c == '<' || c == '>' || c == '"' || c == '`' || c == '{' ||
         c == '}' || c == '|' || c == '\\' || c == '^';
}

// A number as inet_aton reads it: decimal, 0x… or 0….
std::optional<uint64_t> ParseNumber(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && text[1] == 'x') {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Address {
  uint32_t bits;
  bool is_plain;  // four decimal numbers
};

// An IPv4 address in any notation browsers take: "1.2.3.4", "0x7f.1", "2130706433".
std::optional<Address> ParseAddress(std::string_view host) {
  if (host.empty() || !IsAsciiDigit(host[0])) return std::nullopt;
  std::array<uint64_t, 4> parts{};
  size_t count = 0;
  bool is_plain = true;
  while (true) {
    const size_t dot = host.find('.');
    const std::string_view part = host.substr(0, dot);
    const std::optional<uint64_t> number = ParseNumber(part);
    if (!number || count == parts.size()) return std::nullopt;
    is_plain = is_plain && (part.size() == 1 || part[0] != '0');
    parts[count++] = *number;
    if (dot == std::string_view::npos) break;
    host.remove_prefix(dot + 1);
  }
  // The last number fills all remaining bytes.
  uint64_t bits = 0;
  for (size_t i = 0; i + 1 < count; ++i) {
    if (parts[i] > 0xFF) return std::nullopt;
    bits |= parts[i] << (24 - 8 * i);
  }
  if (parts[count - 1] >> (8 * (5 - count)) != 0) return std::nullopt;
  bits |= parts[count - 1];
  return Address{static_cast<uint32_t>(bits), is_plain && count == parts.size()};
}

void AppendDotted(uint32_t bits, std::string* out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out->append(std::to_string((bits >> shift) & 0xFF));
    if (shift > 0) out->push_back('.');
  }
}

void Reset(Url* url) {
  url->scheme.clear();
  url->host.clear();
  url->host_suffixes.clear();
  url->path_words.clear();
  url->has_user = url->has_port = url->is_address = url->is_obfuscated = false;
}

bool IsIpv6Byte(char c) { return HexValue(c) >= 0 || c == ':' || c == '.'; }

bool ParseIpv6(std::string_view authority, Url* url) {
  const std::string_view inside = authority.substr(1, kHostBytes);
  const auto* end = std::find_if_not(inside.begin(), inside.end(), IsIpv6Byte);
  AppendLowerAscii(inside.substr(0, static_cast<size_t>(end - inside.begin())), &url->host);
  while (url->host.ends_with(':') || url->host.ends_with('.')) url->host.pop_back();
  url->has_port = authority.find("]:") != std::string_view::npos;
  url->is_address = true;
  return !url->host.empty();
}

// Browsers take these for dots.
void ReplaceWideDots(std::string* host) {
  if (AsciiPrefix(*host) == host->size()) return;
  for (const std::string_view dot : {"\u3002", "\uFF0E", "\uFF61"}) {
    for (size_t at = host->find(dot); at != std::string::npos; at = host->find(dot, at))
      host->replace(at, dot.size(), ".");
  }
}

// Sets url->host to the host at the start of `text`. Returns whether there is one.
bool ParseHost(std::string_view text, Url* url) {
  const auto* end = std::ranges::find_if_not(text, IsInHost);
  text = text.substr(0, std::min<size_t>(static_cast<size_t>(end - text.begin()), 3 * kHostBytes));
  text = text.substr(0, text.find("\u00A0"));  // a blank, which no host has
  url->is_obfuscated = PercentDecode(text, &url->host);
  // No host has other bytes, so that browsers open no such link.
  url->host.erase(std::ranges::find_if_not(url->host, IsInHost), url->host.end());
  ReplaceWideDots(&url->host);
  if (url->host.size() > kHostBytes) url->host.resize(kHostBytes);
  for (char& c : url->host) c = ToLowerAscii(c);
  while (url->host.ends_with('.')) url->host.pop_back();
  return std::any_of(url->host.begin(), url->host.end(), IsHostByte);
}

// `authority`: [user@]host[:port]. Returns false if it has no host.
bool ParseAuthority(std::string_view authority, Url* url) {
  const size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    url->has_user = true;
    authority.remove_prefix(at + 1);
  }
  if (authority.starts_with('[')) return ParseIpv6(authority, url);
  const size_t colon = std::min(authority.find(':'), authority.size());
  url->has_port = colon + 1 < authority.size();
  if (!ParseHost(authority.substr(0, colon), url)) return false;
  if (const std::optional<Address> address = ParseAddress(url->host)) {
    url->is_address = true;
    url->is_obfuscated = url->is_obfuscated || !address->is_plain;
    url->host.clear();
    AppendDotted(address->bits, &url->host);
    return true;
  }
  if (AsciiPrefix(url->host) != url->host.size() || HasPunycodeLabel(url->host)) url->is_obfuscated = true;
  ForEachDomainAbove(url->host, [url](std::string_view above) { url->host_suffixes.emplace_back(above); });
  return true;
}

void AddPathWords(std::string_view path, Url* url) {
  size_t i = 0;
  while (url->path_words.size() < kPathWords) {
    while (i < path.size() && !IsAsciiWordByte(path[i])) ++i;
    if (i == path.size()) return;
    const size_t begin = i;
    while (i < path.size() && IsAsciiWordByte(path[i])) ++i;
    url->path_words.push_back(LowerAscii(path.substr(begin, std::min(i - begin, kPathWordBytes))));
  }
}

// The known scheme at the end of `text`, unless a word byte precedes it.
std::string_view SchemeBefore(std::string_view text) {
  for (const std::string_view scheme : kSchemes) {
    if (text.size() < scheme.size()) continue;
    const size_t begin = text.size() - scheme.size();
    if (!EqualsIgnoringCase(text.substr(begin), scheme)) continue;
    if (begin == 0 || !IsAsciiWordByte(text[begin - 1])) return text.substr(begin);
  }
  return {};
}

// Browsers take blanks and controls off both ends of a link.
constexpr bool EndsLink(char c) { return static_cast<unsigned char>(c) <= ' '; }
constexpr bool StartsPath(char c) { return c == '/' || c == '?' || c == '#'; }

// The size of the letter at i if it is of a script with many letters like Latin ones (or of Latin, Greek
// extended); else 0. Their words have blanks between them.
size_t LikeLatin(std::string_view text, size_t i) {
  const auto byte = [&](size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0; };
  const int lead = byte(i);
  const int second = byte(i + 1);
  if (lead >= 0xC3 && lead <= 0xD6) return second >= 0x80 ? 2 : 0;  // U+00C0 to U+05BF
  const bool is_long = lead == 0xE1 && (second == 0x8E || second == 0x8F || second >= 0xB8);
  return is_long && byte(i + 2) >= 0x80 ? 3 : 0;  // Cherokee, U+1E00 to U+1FFF
}

// In the host at `begin`, the end of the labels that may have letters like Latin ones: an ASCII label
// follows. Npos if the host begins with one that is not ASCII: then all of the URL may have such.
size_t EndOfNonAscii(std::string_view text, size_t begin) {
  if (begin < text.size() && !IsAscii(text[begin])) return std::string_view::npos;
  const size_t limit = std::min(text.size(), begin + 3 * kHostBytes);
  size_t end = begin;
  for (size_t i = begin; i < limit;) {
    const size_t size = IsAscii(text[i]) ? 1 : LikeLatin(text, i);
    if (size == 0 || !(IsHostByte(text[i]) || text[i] == '.')) break;
    if (text[i] == '.' && i + 1 < limit && IsAsciiWordByte(text[i + 1])) end = i;
    i += size;
  }
  return end;
}

// The end of the URL text that continues at `begin`; with `is_authority`, the end of the authority if that is
// earlier. A byte behind `non_ascii_end` that is not ASCII ends a URL, because Chinese text follows a URL
// without a space.
size_t EndOfUrl(std::string_view text, size_t begin, size_t non_ascii_end, bool is_authority) {
  const size_t limit = std::min(text.size(), begin + kUrlBytes);
  size_t end = begin;
  while (end < limit && !EndsUrl(text[end]) && (end < non_ascii_end || IsAscii(text[end]))) {
    if (is_authority && StartsPath(text[end])) return end;
    ++end;
  }
  // Punctuation at the end belongs to the sentence around the URL.
  constexpr ByteSet kTrailing(".,;:!?')]*");
  while (end > begin && kTrailing.Has(text[end - 1])) --end;
  return end;
}

size_t EndOfAuthority(std::string_view link, size_t begin) {
  while (begin < link.size() && !StartsPath(link[begin]) && link[begin] != '\\') ++begin;
  return begin;
}

// Reads the authority, path and query of a URL from `begin`. Sets *end to the end of what was read, also if
// it is no URL, so that no text is read twice.
bool ParseFrom(std::string_view text, size_t begin, UrlPlace place, Url* url, size_t* end) {
  const bool is_link = place == UrlPlace::kLink;
  const size_t non_ascii_end = EndOfNonAscii(text, begin);
  *end = is_link ? EndOfAuthority(text, begin) : EndOfUrl(text, begin, non_ascii_end, true);
  if (!ParseAuthority(text.substr(begin, *end - begin), url)) return false;
  if (url->scheme == "mailto") url->has_user = false;  // it always has one
  if (*end == text.size() || !(is_link || StartsPath(text[*end]))) return true;
  const size_t path = *end;
  *end = is_link ? std::min(text.size(), path + kUrlBytes) : EndOfUrl(text, path, non_ascii_end, false);
  AddPathWords(text.substr(path, *end - path), url);
  return true;
}

// The position of the host of the URL whose scheme ends at the colon; npos if there is no URL. In a link,
// browsers take any number of slashes and backslashes for two slashes.
size_t HostAfterScheme(std::string_view text, size_t colon, std::string_view scheme, UrlPlace place) {
  if (scheme.empty()) return std::string_view::npos;
  if (EqualsIgnoringCase(scheme, "mailto")) return colon + 1;
  if (place == UrlPlace::kLink) return std::min(text.find_first_not_of("/\\", colon + 1), text.size());
  return text.substr(colon + 1).starts_with("//") ? colon + 3 : std::string_view::npos;
}

// Whether the dot belongs to a "www." that a host follows.
bool IsWwwDot(std::string_view text, size_t dot) {
  if (dot < 3 || dot + 1 >= text.size() || !EqualsIgnoringCase(text.substr(dot - 3, 3), "www")) return false;
  if (dot > 3 && IsHostByte(text[dot - 4])) return false;
  return IsAsciiWordByte(text[dot + 1]) || (!IsAscii(text[dot + 1]) && EndOfNonAscii(text, dot - 3) > dot);
}

// Every URL has a colon or a dot near its start, so the scanner visits only colons and dots, found by memchr.
class UrlScanner {
 public:
  explicit UrlScanner(std::string_view text) : text_(text), colon_(text.find(':')), dot_(text.find('.')) {}

  // Sets *url to the next URL and *whole to its text; false at the end.
  bool Next(Url* url, std::string_view* whole) {
    while (colon_ != std::string_view::npos || dot_ != std::string_view::npos) {
      const Start start = colon_ < dot_ ? StartAtColon() : StartAtDot();
      const size_t at = std::min(colon_, dot_);
      size_t end = at;
      bool found = false;
      if (start.host != std::string_view::npos) {
        Reset(url);
        AppendLowerAscii(start.scheme, &url->scheme);
        found = ParseFrom(text_, start.host, UrlPlace::kText, url, &end);
        if (found) *whole = text_.substr(start.begin, end - start.begin);
      }
      SkipTo(std::max(end, at + 1));
      if (found) return true;
    }
    return false;
  }

 private:
  struct Start {
    size_t begin = 0;
    std::string_view scheme = {};
    size_t host = std::string_view::npos;  // npos: no URL
  };

  Start StartAtColon() const {
    const std::string_view scheme = SchemeBefore(text_.substr(begin_, colon_ - begin_));
    return {colon_ - scheme.size(), scheme, HostAfterScheme(text_, colon_, scheme, UrlPlace::kText)};
  }

  Start StartAtDot() const {
    if (!IsWwwDot(text_, dot_) || dot_ - 3 < begin_) return {};
    return {dot_ - 3, {}, dot_ - 3};
  }

  void SkipTo(size_t position) {
    begin_ = position;
    if (colon_ < position) colon_ = text_.find(':', position);
    if (dot_ < position) dot_ = text_.find('.', position);
  }

  std::string_view text_;
  size_t begin_ = 0;  // the text before it belongs to an earlier URL
  size_t colon_;
  size_t dot_;
};

}  // namespace

void ForEachUrl(std::string_view text, const std::function<void(const Url&, std::string_view)>& visit) {
  UrlScanner scanner(text);
  Url url;
  for (std::string_view whole; scanner.Next(&url, &whole);) visit(url, whole);
}

bool ParseUrl(std::string_view url, Url* out, UrlPlace place) {
  Reset(out);
  while (!url.empty() && EndsLink(url.front())) url.remove_prefix(1);
  while (!url.empty() && EndsLink(url.back())) url.remove_suffix(1);
  size_t end = 0;
  const size_t slashes = std::min(url.find_first_not_of("/\\"), url.size());
  if (slashes > 1) return ParseFrom(url, slashes, place, out, &end);
  if (StartsWithIgnoringCase(url, "www.")) return ParseFrom(url, 0, place, out, &end);
  const size_t colon = url.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view scheme = url.substr(0, colon);
  if (SchemeBefore(scheme).size() != colon) return false;
  const size_t host = HostAfterScheme(url, colon, scheme, place);
  if (host == std::string_view::npos) return false;
  AppendLowerAscii(scheme, &out->scheme);
  return ParseFrom(url, host, place, out, &end);
}

bool PercentDecode(std::string_view text, std::string* out) {
  out->clear();
  bool decoded = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && AppendHexByte(text, i + 1, out)) {
      i += 2;
      decoded = true;
    } else {
      out->push_back(text[i]);
    }
  }
  return decoded;
}

}  // namespace thresher::tokenizer

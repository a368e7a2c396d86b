#include "pipeline/input/from_line.h"

#include <algorithm>
#include <array>
#include <string>

namespace thresher::pipeline {
namespace {

constexpr std::string_view kFrom = "From ";
constexpr std::array<std::string_view, 7> kDays = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

template <size_t kCount>
bool IsOneOf(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool IsNumber(std::string_view word, size_t min_digits, size_t max_digits) {
  return word.size() >= min_digits && word.size() <= max_digits &&
         std::all_of(word.begin(), word.end(), IsDigit);
}

// 12:36 or 12:36:23
bool IsTime(std::string_view word) {
  const size_t colon = word.find(':');
  if (colon == std::string_view::npos || !IsNumber(word.substr(0, colon), 1, 2)) return false;
  const std::string_view rest = word.substr(colon + 1);
  return IsNumber(rest, 2, 2) || (rest.size() == 5 && rest[2] == ':' && IsNumber(rest.substr(0, 2), 2, 2) &&
                                  IsNumber(rest.substr(3), 2, 2));
}

// +0200, -0500, CEST
bool IsZone(std::string_view word) {
  if (word.size() == 5 && (word[0] == '+' || word[0] == '-')) return IsNumber(word.substr(1), 4, 4);
  return !word.empty() && word.size() <= 5 && std::all_of(word.begin(), word.end(), IsUpper);
}

// Takes the last word off *text; empty if there is none.
std::string_view TakeLastWord(std::string_view* text) {
  *text = text->substr(0, text->find_last_not_of(" \t") + 1);
  const size_t begin = text->find_last_of(" \t") + 1;
  const std::string_view word = text->substr(begin);
  *text = text->substr(0, begin);
  return word;
}

// 2026-01-02
bool IsIsoDate(std::string_view word) {
  return word.size() == 10 && word[4] == '-' && word[7] == '-' && IsNumber(word.substr(0, 4), 4, 4) &&
         IsNumber(word.substr(5, 2), 2, 2) && IsNumber(word.substr(8), 2, 2);
}

// 2026-01-02T10:00:00+01:00: date and time with T, Z and a colon in the zone as RFC 3339 has them.
bool IsIsoTime(std::string_view word) {
  if (word.size() < 16 || !IsIsoDate(word.substr(0, 10)) || word[10] != 'T') return false;
  word.remove_prefix(11);
  const size_t zone = std::min(word.find_first_not_of("0123456789:"), word.size());
  std::string digits(word.substr(zone));
  std::erase(digits, ':');
  return IsTime(word.substr(0, zone)) && (digits.empty() || IsZone(digits));
}

// Whether `text` ends with a date as ctime() or ISO 8601 writes it, perhaps with a time zone.
bool EndsWithDate(std::string_view text) {
  std::string_view word = TakeLastWord(&text);
  if (IsIsoTime(word)) return true;
  if (IsZone(word)) word = TakeLastWord(&text);
  if (IsTime(word)) return IsIsoDate(TakeLastWord(&text));
  if (!IsNumber(word, 4, 4)) return false;
  word = TakeLastWord(&text);
  if (IsZone(word)) word = TakeLastWord(&text);
  return IsTime(word) && IsNumber(TakeLastWord(&text), 1, 2) && IsOneOf(TakeLastWord(&text), kMonths) &&
         IsOneOf(TakeLastWord(&text), kDays);
}

}  // namespace

bool IsFromLine(std::string_view line) {
  if (!line.starts_with(kFrom)) return false;
  line = line.substr(0, line.find_last_not_of("\r\n") + 1);
  constexpr std::string_view kRemote = " remote from ";
  if (const size_t remote = line.rfind(kRemote); remote != std::string_view::npos) {
    const std::string_view host = line.substr(remote + kRemote.size());
    if (!host.empty() && host.find_first_of(" \t") == std::string_view::npos) line = line.substr(0, remote);
  }
  line.remove_prefix(std::min(kFrom.size() - 1, line.size()));
  return EndsWithDate(line);
}

bool IsQuotedFrom(std::string_view line) {
  return line.starts_with('>') && line.substr(1).starts_with(kFrom);
}

bool BeginsHead(std::string_view line) {
  if (line.starts_with('>')) return IsFromLine(line.substr(1));
  const auto is_of_name = [](char c) { return c > ' ' && c < '\x7f' && c != ':'; };
  const auto name_size = static_cast<size_t>(std::ranges::find_if_not(line, is_of_name) - line.begin());
  line.remove_prefix(name_size);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return name_size > 0 && line.starts_with(':');
}

}  // namespace thresher::pipeline

#include "pipeline/input/from_line.h"

#include <algorithm>
#include <array>
#include <string>

#include "pipeline/input/take_word.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kBlanks = " \t";
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

// Takes an address, which may start with a quoted local part.
std::string_view TakeAddress(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(kBlanks), text->size()));
  const std::string_view whole = *text;
  if (whole.starts_with('"')) text->remove_prefix(std::min(whole.find('"', 1), whole.size()));
  const size_t end = std::min(text->find_first_of(kBlanks), text->size());
  text->remove_prefix(end);
  return whole.substr(0, whole.size() - text->size());
}

}  // namespace

bool IsFromLine(std::string_view line) {
  constexpr std::string_view kFrom = "From ";
  if (!line.starts_with(kFrom)) return false;
  line.remove_prefix(kFrom.size());
  line = line.substr(0, line.find_last_not_of("\r\n") + 1);
  if (TakeAddress(&line).empty() || !IsOneOf(TakeWord(&line, kBlanks), kDays) ||
      !IsOneOf(TakeWord(&line, kBlanks), kMonths) || !IsNumber(TakeWord(&line, kBlanks), 1, 2) ||
      !IsTime(TakeWord(&line, kBlanks))) {
    return false;
  }
  std::string_view word = TakeWord(&line, kBlanks);
  if (IsZone(word)) word = TakeWord(&line, kBlanks);
  if (!IsNumber(word, 4, 4)) return false;
  word = TakeWord(&line, kBlanks);
  return word.empty() || (IsZone(word) && TakeWord(&line, kBlanks).empty());
}

}  // namespace thresher::pipeline

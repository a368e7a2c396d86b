#include "eval/header_verdict.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

#include "eval/number.h"

namespace thresher::eval {
namespace {

struct Word {
  std::string_view word;
  bool spam;
};

constexpr auto kWords = std::to_array<Word>({{"spam", true},
                                             {"yes", true},
                                             {"true", true},
                                             {"ham", false},
                                             {"no", false},
                                             {"false", false},
                                             {"good", false},
                                             {"unsure", false}});

// What stands before a score. CRM114's pR, which may stand alone in parentheses, is positive for good mail.
struct ScoreMark {
  std::string_view mark;
  double sign;
  bool is_probability;
};

constexpr auto kMarks = std::to_array<ScoreMark>({{"margin=", 1, false},
                                                  {"spamicity=", 1, true},
                                                  {"score=", 1, false},
                                                  {"hits=", 1, false},
                                                  {"pr:", -1, false},
                                                  {"[", 1, false},
                                                  {"(", -1, false},
                                                  {"probability=", 1, true}});

// The number at the start of `text`, after blanks; nothing if it is none or not finite.
std::optional<double> LeadingNumber(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::optional<double> number = ReadNumber(text.substr(0, text.find_first_not_of("+-.0123456789e")));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<double> NumberAfter(std::string_view mark, std::string_view text) {
  const size_t found = text.find(mark);
  return found == std::string_view::npos ? std::nullopt : LeadingNumber(text.substr(found + mark.size()));
}

// The first word, or the first one after "default:", which rspamd begins with.
std::optional<bool> VerdictWord(std::string_view text) {
  constexpr std::string_view kPolicy = "default:";
  if (text.starts_with(kPolicy)) text.remove_prefix(kPolicy.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view first = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  const auto* const known = std::ranges::find(kWords, first, &Word::word);
  return known == kWords.end() ? std::nullopt : std::optional(known->spam);
}

}  // namespace

std::optional<HeaderVerdict> ReadHeaderVerdict(std::string_view value) {
  std::string text(value.substr(std::min(value.find_first_not_of(" \t\r\n"), value.size())));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });

  constexpr double kSpamFrom = 5;
  HeaderVerdict verdict;
  const std::optional<bool> word = VerdictWord(text);
  std::optional<double> score = LeadingNumber(text);
  for (const ScoreMark& mark : kMarks) {
    const std::optional<double> number = NumberAfter(mark.mark, text);
    if (!number) continue;
    if (!score) score = mark.sign * *number;
    if (mark.is_probability && *number >= 0 && *number <= 1) verdict.probability = *number;
  }
  if (!word && !score) return std::nullopt;
  verdict.called_spam = word ? *word : *score >= kSpamFrom;
  verdict.score = score ? *score : (verdict.called_spam ? 1 : 0);
  return verdict;
}

}  // namespace thresher::eval

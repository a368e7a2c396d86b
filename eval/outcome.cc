#include "eval/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <tl/expected.hpp>

#include "eval/number.h"

namespace thresher::eval {
namespace {

constexpr size_t kReportedBadLines = 3;
constexpr std::string_view kBlanks = " \t\r";  // a word that ends with CR would end the line, too

std::string_view ClassName(bool spam) { return spam ? "spam" : "ham"; }

// Nine significant digits if they are read back as the same number, else the shortest text that is.
std::string FormatScore(double score) {
  std::string nine = fmt::format("{:#.9g}", score);
  return ReadNumber(nine) == score ? nine : fmt::format("{}", score);
}

// Removes "NAME=VALUE" and the blanks after it from the front of `rest`; nothing if `rest` begins otherwise.
std::optional<std::string_view> TakeField(std::string_view name, std::string_view& rest) {
  if (!rest.starts_with(name)) return std::nullopt;
  const size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  const std::string_view value = rest.substr(name.size(), end - name.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks, end), rest.size()));
  return value;
}

// True for spam, false for ham, nothing for any other value.
std::optional<bool> ReadClass(std::optional<std::string_view> value) {
  if (value == "spam") return true;
  if (value == "ham") return false;
  return std::nullopt;
}

struct ResultLine {
  std::string_view path;
  Outcome outcome;
  Tags tags;
};

// Reads the fields after score=, in any order. Returns what is wrong with them, or nothing.
std::optional<std::string> ReadFurtherFields(std::string_view rest, ResultLine* line) {
  while (!rest.empty()) {
    if (const auto given = TakeField("probability=", rest)) {
      const std::optional<double> probability = ReadNumber(*given);
      if (!probability || !(*probability >= 0 && *probability <= 1))  // NaN is neither
        return fmt::format("expected a number from 0 to 1, not probability={:.40}", *given);
      line->outcome.probability = *probability;
    } else if (const auto user = TakeField("user=", rest)) {
      line->tags.user = *user;
    } else if (const auto genre = TakeField("genre=", rest)) {
      line->tags.genre = *genre;
    } else {
      TakeField("", rest);
    }
  }
  return std::nullopt;
}

tl::expected<ResultLine, std::string> ParseResultLine(std::string_view line) {
  const size_t gap = line.find(" judge=");
  if (gap == std::string_view::npos) return tl::unexpected<std::string>("expected judge= after the path");
  const std::string_view path = line.substr(0, line.find_last_not_of(kBlanks, gap) + 1);
  if (path.empty()) return tl::unexpected<std::string>("expected a path before judge=");

  std::string_view rest = line.substr(gap + 1);
  const std::optional<bool> judge = ReadClass(TakeField("judge=", rest));
  if (!judge) return tl::unexpected<std::string>("expected judge=ham or judge=spam");
  const std::optional<bool> verdict = ReadClass(TakeField("class=", rest));
  if (!verdict) return tl::unexpected<std::string>("expected class=ham or class=spam after judge=");
  const std::optional<std::string_view> text = TakeField("score=", rest);
  if (!text) return tl::unexpected<std::string>("expected score= after class=");
  const std::optional<double> score = ReadNumber(*text);
  if (!score || !std::isfinite(*score))
    return tl::unexpected(fmt::format("expected a finite number, not score={:.40}", *text));

  ResultLine result{path, {.judged_spam = *judge, .called_spam = *verdict, .score = *score}, {}};
  if (const auto wrong = ReadFurtherFields(rest, &result)) return tl::unexpected(*wrong);
  return result;
}

}  // namespace

void WordColumn::Add(std::string_view word) {
  ++lines_;
  if (word.empty() && numbers_.empty()) return;
  numbers_.resize(lines_, 0);
  if (word.empty()) return;
  auto known = numbers_of_.find(word);
  if (known == numbers_of_.end()) {
    known = numbers_of_.emplace(word, static_cast<uint32_t>(words_.size())).first;
    words_.emplace_back(word);
  }
  numbers_.back() = known->second;
}

std::string FormatResultLine(std::string_view path, const Outcome& outcome, const Tags& tags) {
  std::string line = fmt::format("{} judge={} class={} score={}", path, ClassName(outcome.judged_spam),
                                 ClassName(outcome.called_spam), FormatScore(outcome.score));
  const auto append = std::back_inserter(line);
  if (outcome.probability != Outcome::kUnknown)
    fmt::format_to(append, " probability={}", outcome.probability);
  if (!tags.user.empty()) fmt::format_to(append, " user={}", tags.user);
  if (!tags.genre.empty()) fmt::format_to(append, " genre={}", tags.genre);
  return line += '\n';
}

void ResultReader::Read(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find_first_not_of(kBlanks) == std::string_view::npos) {
    ++lines_;
    return;
  }
  const auto parsed = ParseResultLine(line);
  if (!parsed) return Reject(parsed.error());
  ++lines_;
  results_.paths.Add(parsed->path);
  results_.outcomes.push_back(parsed->outcome);
  results_.users.Add(parsed->tags.user);
  results_.genres.Add(parsed->tags.genre);
}

void ResultReader::Reject(std::string what) {
  ++lines_;
  if (++results_.bad_line_count <= kReportedBadLines) results_.bad_lines.push_back({lines_, std::move(what)});
}

}  // namespace thresher::eval

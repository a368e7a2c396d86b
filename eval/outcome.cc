#include "eval/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <optional>
#include <tl/expected.hpp>

namespace thresher::eval {
namespace {

constexpr size_t kReportedBadLines = 100;
constexpr std::string_view kBlanks = " \t";

std::string_view ClassName(bool spam) { return spam ? "spam" : "ham"; }

// Nine significant digits where they name the number exactly, else the shortest that do.
std::string FormatScore(double score) {
  std::string nine = fmt::format("{:#.9g}", score);
  double back = 0;
  std::from_chars(nine.data(), nine.data() + nine.size(), back);
  return back == score ? nine : fmt::format("{}", score);
}

// Takes "NAME=VALUE" and the blanks after it off the front of `rest`; nothing if something else stands there.
std::optional<std::string_view> TakeField(std::string_view name, std::string_view& rest) {
  if (!rest.starts_with(name)) return std::nullopt;
  const size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  const std::string_view value = rest.substr(name.size(), end - name.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks, end), rest.size()));
  return value;
}

// Whether a field names a class, and which.
std::optional<bool> ReadClass(std::optional<std::string_view> value) {
  if (value == "spam") return true;
  if (value == "ham") return false;
  return std::nullopt;
}

std::optional<double> ReadNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);  // which from_chars does not know
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

struct ResultLine {
  std::string_view path;
  Outcome outcome;
};

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
  if (!score) return tl::unexpected(fmt::format("expected a finite number, not score={:.40}", *text));

  Outcome outcome{.judged_spam = *judge, .called_spam = *verdict, .score = *score};
  if (const std::optional<std::string_view> given = TakeField("probability=", rest)) {
    const std::optional<double> probability = ReadNumber(*given);
    if (!probability || *probability < 0 || *probability > 1)
      return tl::unexpected(fmt::format("expected a number from 0 to 1, not probability={:.40}", *given));
    outcome.probability = *probability;
  }
  return ResultLine{path, outcome};
}

}  // namespace

std::string FormatResultLine(std::string_view path, const Outcome& outcome) {
  std::string line = fmt::format("{} judge={} class={} score={}", path, ClassName(outcome.judged_spam),
                                 ClassName(outcome.called_spam), FormatScore(outcome.score));
  if (outcome.probability != Outcome::kUnknown) line += fmt::format(" probability={}", outcome.probability);
  return line += '\n';
}

Results ReadResults(std::istream& in) {
  Results results;
  std::string buffer;
  for (size_t number = 1; std::getline(in, buffer); ++number) {
    std::string_view line = buffer;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(kBlanks) == std::string_view::npos) continue;
    const auto parsed = ParseResultLine(line);
    if (parsed) {
      results.paths.Add(parsed->path);
      results.outcomes.push_back(parsed->outcome);
    } else if (++results.bad_line_count <= kReportedBadLines) {
      results.bad_lines.push_back({number, parsed.error()});
    }
  }
  return results;
}

}  // namespace thresher::eval

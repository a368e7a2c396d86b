#include "pipeline/trec/answer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "eval/number.h"
#include "pipeline/input/take_word.h"

namespace thresher::pipeline {
namespace {

std::string_view FirstLine(std::string_view output) {
  output.remove_prefix(std::min(output.find_first_not_of(" \t\r\n"), output.size()));
  return output.substr(0, output.find('\n'));
}

}  // namespace

std::string_view NameOf(Failure failure) {
  constexpr std::string_view kNames[kFailures] = {
      "exit code", "signal", "timeout", "too much output", "unreadable output", "score not finite"};
  return kNames[static_cast<size_t>(failure)];
}

tl::expected<Answer, Failure> ParseAnswer(std::string_view output) {
  std::string_view line = FirstLine(output);
  Answer answer;
  std::string_view verdict;
  std::optional<double> score;
  for (std::string_view word = TakeWord(&line); !word.empty(); word = TakeWord(&line)) {
    const size_t sign = word.find('=');
    if (sign == std::string_view::npos) continue;
    const std::string_view name = word.substr(0, sign);
    const std::string_view value = word.substr(sign + 1);
    if (name == "class") verdict = value;
    if (name == "score") score = eval::ReadNumber(value);
    if (name == "tfile") answer.auxiliary = value;
    if (name == "probability") answer.probability = eval::ReadNumber(value).value_or(eval::Outcome::kUnknown);
  }
  if ((verdict != "spam" && verdict != "ham") || !score) return tl::unexpected(Failure::kUnreadable);
  if (!std::isfinite(*score)) return tl::unexpected(Failure::kNotFinite);
  const bool is_probability = answer.probability >= 0 && answer.probability <= 1;  // NaN is none
  if (!is_probability) answer.probability = eval::Outcome::kUnknown;
  answer.spam = verdict == "spam";
  answer.score = *score;
  return answer;
}

}  // namespace thresher::pipeline

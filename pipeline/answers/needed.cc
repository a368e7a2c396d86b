#include "pipeline/answers/needed.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace thresher::pipeline {

std::string NeededText(const TaughtCounts& taught) {
  const uint64_t ham = taught.Needed(Label::kHam);
  const uint64_t spam = taught.Needed(Label::kSpam);
  if (ham + spam == 0) return {};
  const std::string both = ham == 0    ? fmt::format("{} more spam", spam)
                           : spam == 0 ? fmt::format("{} more ham", ham)
                                       : fmt::format("{} more ham and {} more spam", ham, spam);
  return fmt::format("every verdict is Unsure until {} message{} taught", both,
                     ham + spam == 1 ? " is" : "s are");
}

std::string NeededTextOf(const nlohmann::json& counts) {
  const nlohmann::json needed =
      counts.is_object() ? counts.value("needed", nlohmann::json()) : nlohmann::json();
  const nlohmann::json text = needed.is_object() ? needed.value("text", nlohmann::json()) : nlohmann::json();
  return text.is_string() ? text.get<std::string>() : std::string();
}

std::string DoubtText(const RecentExamples& recent) {
  if (!recent.AreDoubtful()) return {};
  return fmt::format(
      "the model contradicts {} of the last {} examples: if their labels are wrong, `thresher doubt` lists "
      "them",
      recent.contradicted, recent.examples);
}

nlohmann::ordered_json NeededJson(const TaughtCounts& taught) {
  return {{"ham", taught.Needed(Label::kHam)},
          {"spam", taught.Needed(Label::kSpam)},
          {"text", NeededText(taught)}};
}

}  // namespace thresher::pipeline

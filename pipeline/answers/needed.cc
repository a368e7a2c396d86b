#include "pipeline/answers/needed.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace thresher::pipeline {

std::string NeededText(const TaughtCounts& taught) {
  return NeededText(taught.Needed(Label::kHam), taught.Needed(Label::kSpam));
}

std::string NeededText(uint64_t ham, uint64_t spam) {
  if (ham + spam == 0) return {};
  const std::string both = ham == 0    ? fmt::format("{} spam", spam)
                           : spam == 0 ? fmt::format("{} ham", ham)
                                       : fmt::format("{} ham and {} spam", ham, spam);
  return fmt::format("until {} more are taught, every verdict is Unsure", both);
}

std::string DoubtText(const RecentExamples& recent) {
  if (!recent.AreDoubtful()) return {};
  return fmt::format(
      "the model contradicts {} of the last {} examples: if their labels are wrong, `thresher doubt` lists "
      "them",
      recent.contradicted, recent.examples);
}

nlohmann::ordered_json NeededJson(const TaughtCounts& taught) {
  return {{"ham", taught.Needed(Label::kHam)}, {"spam", taught.Needed(Label::kSpam)}};
}

}  // namespace thresher::pipeline

#include "learners/steps/rehearsal_options.h"

#include <fmt/format.h>

#include "learners/options.h"

namespace thresher::learners {

std::string RehearsalText(const RehearsalOptions& options) {
  return fmt::format("draws={} memory={} mistrust={}", options.draws, options.memory, options.mistrust);
}

std::optional<RehearsalOptions> ReadRehearsal(std::string_view text) {
  const auto given = SplitOptions(text);
  if (!given) return std::nullopt;
  const auto complete = CompleteOptions(kRehearsalOptions, *given);
  if (!complete) return std::nullopt;
  return RehearsalOptions{.draws = static_cast<uint64_t>(NumberOption(*complete, "draws")),
                          .memory = static_cast<uint64_t>(NumberOption(*complete, "memory")),
                          .mistrust = NumberOption(*complete, "mistrust")};
}

}  // namespace thresher::learners

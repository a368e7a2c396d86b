#include "learners/steps/rehearsal_options.h"

#include <fmt/format.h>

#include "learners/options.h"

namespace thresher::learners {

std::string RehearsalText(const RehearsalOptions& options) {
  const std::string bytes = options.bytes > 0 ? fmt::format(" bytes={}", options.bytes) : "";
  return fmt::format("draws={} memory={} mistrust={}{}", options.draws, options.memory, options.mistrust,
                     bytes);
}

std::optional<RehearsalOptions> ReadRehearsal(std::string_view text) {
  auto given = SplitOptions(text);
  if (!given) return std::nullopt;
  given->try_emplace("bytes", "0");
  const auto complete = CompleteOptions(kRehearsalOptions, *given);
  if (!complete) return std::nullopt;
  return RehearsalOptions{.draws = static_cast<uint64_t>(NumberOption(*complete, "draws")),
                          .memory = static_cast<uint64_t>(NumberOption(*complete, "memory")),
                          .bytes = static_cast<uint64_t>(NumberOption(*complete, "bytes")),
                          .mistrust = NumberOption(*complete, "mistrust")};
}

}  // namespace thresher::learners

#include "learners/distributed/solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "learners/options.h"

namespace thresher::learners::distributed {

std::span<const SolverSpec> AllSolvers() {
#define THRESHER_CALL(Name) Name(),
  static const std::array kAll = {THRESHER_DISTRIBUTED(THRESHER_CALL)};
#undef THRESHER_CALL
  return kAll;
}

const SolverSpec* FindSolver(std::string_view name) {
  const auto found = std::ranges::find(AllSolvers(), name, &SolverSpec::name);
  return found == AllSolvers().end() ? nullptr : &*found;
}

tl::expected<OptionValues, std::string> CompleteSolverOptions(std::string_view name,
                                                              const OptionValues& given) {
  const SolverSpec* spec = FindSolver(name);
  if (spec == nullptr) {
    std::vector<std::string_view> known;
    for (const SolverSpec& each : AllSolvers()) known.push_back(each.name);
    return tl::unexpected(fmt::format("solver \"{}\" does not run in several processes; expected one of {}",
                                      name, fmt::join(known, ", ")));
  }
  auto complete = CompleteOptions(spec->options, given);
  if (!complete) return tl::unexpected(fmt::format("solver {}: {}", name, complete.error().what));
  return *std::move(complete);
}

}  // namespace thresher::learners::distributed

#include "learners/batch/solvers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "learners/batch/margin_loss.h"
#include "learners/batch/solver_specs.h"
#include "learners/options.h"

namespace thresher::learners::batch {
namespace {

using Complete = tl::expected<OptionValues, std::string>;

Complete CompleteFor(std::string_view name, const OptionValues& given) {
  const SolverSpec* spec = FindSolver(name);
  if (spec == nullptr) {
    std::vector<std::string_view> known;
    for (const SolverSpec& each : AllSolvers()) known.push_back(each.name);
    return tl::unexpected(
        fmt::format("unknown solver \"{}\"; expected one of {}", name, fmt::join(known, ", ")));
  }
  auto complete = CompleteOptions(spec->options, given, spec->check);
  if (!complete) return tl::unexpected(fmt::format("solver {}: {}", name, complete.error().what));
  return *std::move(complete);
}

// Why the solver does not accept the examples; empty if it does.
std::string WrongWithExamples(const SolverSpec& spec, const OptionValues& complete,
                              const Examples& examples) {
  if (examples.rows.size() == 0) return "there are no examples";
  if (spec.multiclass) {
    return examples.classes >= 2 ? "" : fmt::format("{} class(es); expected at least two", examples.classes);
  }
  const auto wrong = FirstWrongTarget(complete, examples.targets);
  return wrong ? fmt::format("example {} {}", wrong->at + 1, wrong->why) : "";
}

}  // namespace

std::optional<WrongTarget> FirstWrongTarget(const OptionValues& complete, std::span<const float> targets) {
  const bool of_classes = ReadMarginLoss(complete).IsOfClasses();
  const auto is_wrong = [&](float y) { return of_classes ? std::abs(y) != 1 : !std::isfinite(y); };
  const auto found = std::ranges::find_if(targets, is_wrong);
  if (found == targets.end()) return std::nullopt;
  return WrongTarget{.at = static_cast<size_t>(found - targets.begin()),
                     .why = fmt::format("has the label {}; this loss expects {}", *found,
                                        of_classes ? "1 or -1" : "a number")};
}

std::span<const SolverSpec> AllSolvers() {
#define THRESHER_CALL(Name) Name(),
  static const std::array kSolvers = {THRESHER_SOLVERS(THRESHER_CALL)};
#undef THRESHER_CALL
  return kSolvers;
}

const SolverSpec* FindSolver(std::string_view name) {
  const auto found = std::ranges::find(AllSolvers(), name, &SolverSpec::name);
  return found == AllSolvers().end() ? nullptr : &*found;
}

tl::expected<std::string, std::string> SolverOptionsText(std::string_view name, const OptionValues& given) {
  const Complete complete = CompleteFor(name, given);
  if (!complete) return tl::unexpected(complete.error());
  return FormatOptions(FindSolver(name)->options, *complete);
}

tl::expected<std::unique_ptr<Solver>, std::string> MakeSolver(std::string_view name,
                                                              const OptionValues& given,
                                                              const Examples& examples, uint64_t seed,
                                                              const Parallel& parallel) {
  const Complete complete = CompleteFor(name, given);
  if (!complete) return tl::unexpected(complete.error());
  const SolverSpec& spec = *FindSolver(name);
  const std::string wrong = WrongWithExamples(spec, *complete, examples);
  if (!wrong.empty()) return tl::unexpected(fmt::format("solver {}: {}", name, wrong));
  return spec.make(examples, *complete, seed, parallel);
}

}  // namespace thresher::learners::batch

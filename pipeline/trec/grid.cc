#include "pipeline/trec/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "eval/figures.h"
#include "eval/probability_figures.h"
#include "eval/ranking.h"
#include "eval/roc.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

constexpr double kWorst = 101;  // above any area in percent

constexpr size_t kMostCombinations = 10'000;

// Splits "KEY=VALUE,VALUE" into "KEY=VALUE" for each value.
struct Axis {
  std::string key;
  std::vector<std::string> assignments;
};

Result<Axis> ReadAxis(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return tl::unexpected(Error{kUsage, fmt::format("--vary {}: expected KEY=VALUE,VALUE,…", text)});
  Axis axis{std::string(text.substr(0, equals)), {}};
  for (size_t begin = equals + 1; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    axis.assignments.push_back(fmt::format("{}={}", axis.key, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return axis;
}

// The options of the learner that the command line has, which are for each learner that is tried.
std::vector<std::string> LearnerOptionsOf(const Settings& settings) {
  std::vector<std::string> assignments;
  for (const auto& [key, named] : settings.named) {
    if (key.starts_with(kLearnerOptionsKey) && !named.in_file && !named.by_preset)
      assignments.push_back(key + "=" + named.text);
  }
  return assignments;
}

}  // namespace

Result<std::vector<Combination>> Combinations(const Settings& settings, std::span<const std::string> vary) {
  std::vector<Combination> all = {{{}, settings}};
  std::set<std::string> keys;
  for (const std::string& text : vary) {
    const Result<Axis> axis = ReadAxis(text);
    if (!axis) return tl::unexpected(axis.error());
    if (!keys.insert(axis->key).second)
      return tl::unexpected(
          Error{kUsage, fmt::format("--vary {}: named twice; give all its values at once", axis->key)});
    if (axis->assignments.size() > kMostCombinations / all.size())
      return tl::unexpected(
          Error{kUsage, fmt::format("--vary: more than {} combinations", kMostCombinations)});
    std::vector<Combination> longer;
    for (const Combination& before : all) {
      for (const std::string& assignment : axis->assignments) {
        longer.push_back(before);
        longer.back().assignments.push_back(assignment);
      }
    }
    all = std::move(longer);
  }
  const std::vector<std::string> options = LearnerOptionsOf(settings);
  for (Combination& combination : all) {
    Settings& varied = combination.settings;
    std::vector<std::string> assignments = options;
    assignments.insert(assignments.end(), combination.assignments.begin(), combination.assignments.end());
    if (auto done = varied.AssignAll(assignments); !done) return tl::unexpected(done.error());
    const auto valid = varied.Validate().and_then([&] { return varied.ValidateNewLearner(); });
    if (!valid) return tl::unexpected(valid.error());
  }
  return all;
}

GridPoint Measured(const Combination& combination, const ReplayRun& run) {
  const auto lam = eval::LogisticAverageMisclassification(eval::Tabulate(run.outcomes));
  const auto judged = eval::JudgeProbabilities(run.outcomes);
  return {.assignments = combination.assignments,
          .roc_area_above = eval::RocAreaAbove(eval::Rank(run.outcomes)),
          .logistic_average = lam ? std::optional(lam->value) : std::nullopt,
          .log_loss = judged ? std::optional(judged->log_loss) : std::nullopt,
          .nonzeros = run.statistics.nonzeros,
          .seconds = run.seconds};
}

void SortByFrontier(std::vector<GridPoint>* points) {
  const auto place = [](const GridPoint& point) {
    return std::pair(point.nonzeros, point.roc_area_above.value_or(kWorst));
  };
  std::stable_sort(points->begin(), points->end(),
                   [&](const GridPoint& a, const GridPoint& b) { return place(a) < place(b); });
  std::pair<uint64_t, double> best = {0, kWorst};  // the last one on the frontier
  for (GridPoint& point : *points) {
    const bool is_tie = point.roc_area_above && place(point) == best;
    point.on_frontier = is_tie || place(point).second < best.second;
    if (point.on_frontier) best = place(point);
  }
}

}  // namespace thresher::pipeline

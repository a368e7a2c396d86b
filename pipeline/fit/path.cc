#include "pipeline/fit/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "learners/batch/elastic_net_objective.h"
#include "learners/options.h"
#include "pipeline/fit/held_out.h"

namespace thresher::pipeline {
namespace {

using learners::batch::Examples;

using Quality = PathPoint::Quality;

Quality QualityOf(const Examples& examples, std::span<const double> weights,
                  const learners::batch::MarginLoss& loss) {
  Quality quality;
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    const auto y = static_cast<double>(examples.targets[i]);
    const double margin = learners::batch::Dot(examples.rows[i], weights);
    quality.error += (margin > 0) != (y > 0) ? 1 : 0;
    quality.loss += loss.Value(margin, y);
  }
  const auto count = static_cast<double>(std::max<size_t>(examples.rows.size(), 1));
  return {quality.error / count, quality.loss / count};
}

tl::unexpected<Error> Unfit(std::string_view solver, std::string_view why) {
  return tl::unexpected(Error{kConfig, fmt::format("solver {}: {}; prox-newton takes a path", solver, why)});
}

}  // namespace

double LargestUsefulL1(const Examples& examples, const learners::batch::ElasticNetObjective& objective) {
  double largest = 0;
  for (size_t j = 0; j < examples.columns.size(); ++j) {
    const auto column = examples.columns[j];
    double sum = 0;
    for (size_t k = 0; k < column.size(); ++k) {
      const auto y = static_cast<double>(examples.targets[column.indices[k]]);
      sum += objective.loss.Derivative(0, y) * static_cast<double>(column.values[k]);
    }
    const bool may_move = sum > 0 ? objective.lower < 0 : objective.upper > 0;
    if (may_move) largest = std::max(largest, std::abs(sum) / static_cast<double>(examples.rows.size()));
  }
  return largest;
}

Result<std::vector<PathPoint>> FitPath(const ExampleStore& examples, const PathOptions& options,
                                       const std::function<void(const PathPoint&)>& on_point) {
  const auto* const spec = learners::batch::FindSolver(options.fit.solver);
  if (spec == nullptr) return Unfit(options.fit.solver, "there is no such solver");
  if (spec->multiclass) return Unfit(options.fit.solver, "its labels are classes");
  const auto complete = learners::CompleteOptions(spec->options, options.fit.options);
  if (!complete) return Unfit(options.fit.solver, complete.error().what);
  if (!complete->contains("l1")) return Unfit(options.fit.solver, "it has no l1");
  const double last = learners::NumberOption(*complete, "l1");
  if (last == 0) return Unfit(options.fit.solver, "a path ends at an l1 above 0");
  const auto split = HoldOut(examples.targets(), options.held_out);
  if (!split) return tl::unexpected(split.error());
  const auto train = examples.Select(split->earlier);
  const auto test = examples.Select(split->later);
  if (!train) return tl::unexpected(train.error());
  if (!test) return tl::unexpected(test.error());

  const auto loss = learners::batch::ReadMarginLoss(*complete);
  const auto objective = complete->contains("l2") ? learners::batch::ReadElasticNetObjective(*complete)
                                                  : learners::batch::ElasticNetObjective{.loss = loss};
  constexpr double kAbove = 1 + 1e-12;  // solvers round otherwise
  const double first =
      std::clamp(LargestUsefulL1(train->View(), objective) * kAbove, last, learners::batch::kLargestPenalty);
  std::vector<PathPoint> path;
  std::vector<double> weights(train->ids().size());
  for (size_t k = 0; k < options.points; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(options.points - 1);
    FitOptions fit = options.fit;
    PathPoint point;
    point.l1 = first * std::pow(last / first, share);
    fit.options["l1"] = fmt::format("{}", point.l1);
    fit.start = weights;
    fit.resume.clear();
    auto fitted = Fit(*train, fit);
    if (!fitted) return tl::unexpected(fitted.error());
    weights = std::move(fitted->weights);
    point.fit = fitted->points.back();
    point.train_error = QualityOf(train->View(), weights, loss).error;
    if (!split->later.empty()) point.test = QualityOf(test->View(), weights, loss);
    path.push_back(point);
    if (on_point) on_point(point);
  }
  return path;
}

}  // namespace thresher::pipeline

// Duchi, Shalev-Shwartz, Singer & Chandra (2008), Fig. 6: projected against exponentiated gradient on
// documents, logistic loss within the ball. Left with true gradients and those of a quarter of the examples,
// right with those of one and of a hundred.
//
// RCV1 cannot be had; the words of the 20 newsgroups stand in its place. The paper's axis is CPU time, ours
// data accesses: entries of x, and the weights where a step changes all of them; steps on one example touch
// its features only, in either method.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "reproduction/ball_rivals.h"
#include "reproduction/batch_run.h"
#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

using learners::batch::MarginLoss;

constexpr double kRadius = 300;                              // the paper does not state z
const std::vector<double> kRates = {10, 100, 1000, 10'000};  // η0; the one that ends lowest counts

Series Named(std::string name, Series series, double optimum) {
  series.name = std::move(name);
  for (double& y : series.y) y -= optimum;
  return series;
}

// Steps on single examples, by a learner of the registry at the best of its rates.
Series Online(BallMethod::Kind kind, const DataSet& data, const RunLimit& limit) {
  const bool projected = kind == BallMethod::Kind::kProjected;
  std::optional<Series> best;
  for (const double rate : kRates) {
    learners::OptionValues options = {{"radius", fmt::format("{}", kRadius)},
                                      {"learning_rate", fmt::format("{}", rate)},
                                      {"schedule", "inverse-sqrt"},
                                      {"schedule_horizon", "1"}};
    if (!projected) options["dimension"] = fmt::format("{}", data.width);
    Series series = RunLearner(projected ? "l1-ball" : "eg", options, data, 0, limit).objective;
    if (!best || series.y.back() < best->y.back()) best = std::move(series);
  }
  return *best;
}

}  // namespace

Report BallText(const Setting& setting) {
  const DataSet data = DualData(setting);
  const Matrix matrix(data);
  const BallProblem problem = {.data = data, .loss = {MarginLoss::Kind::kLogistic}, .radius = kRadius};
  const auto entries = static_cast<double>(data.entries());
  const Trace exact =
      RunSolver("projected-gradient", {{"radius", fmt::format("{}", kRadius)}}, matrix,
                {.accesses = setting.Pick(500.0, 3000.0) * entries, .gap = 1e-6, .points = 10});
  const double optimum = exact.objective.y.back() - exact.gap.y.back();
  const auto run = [&](const char* name, BallMethod::Kind kind, size_t batch, const RunLimit& limit) {
    const BallMethod method = {.kind = kind, .batch = batch, .rates = kRates};
    return Named(name, RunBall(problem, method, limit).objective, optimum);
  };

  Panel left{.title = "true gradients, and of a quarter",
             .x_label = "data accesses",
             .y_label = "f − f*",
             .log_y = true};
  const RunLimit long_limit = {.accesses = setting.Pick(50.0, 150.0) * entries, .points = 60};
  left.series = {run("L1, full", BallMethod::Kind::kProjected, 0, long_limit),
                 run("EG, full", BallMethod::Kind::kExponentiated, 0, long_limit),
                 run("L1, quarter", BallMethod::Kind::kProjected, data.size() / 4, long_limit),
                 run("EG, quarter", BallMethod::Kind::kExponentiated, data.size() / 4, long_limit)};

  Panel right{
      .title = "gradients of 1 and 100", .x_label = "data accesses", .y_label = "f − f*", .log_y = true};
  const RunLimit short_limit = {.accesses = setting.Pick(10.0, 20.0) * entries, .points = 40};
  right.series = {Named("L1, 1", Online(BallMethod::Kind::kProjected, data, short_limit), optimum),
                  Named("EG, 1", Online(BallMethod::Kind::kExponentiated, data, short_limit), optimum),
                  run("L1, 100", BallMethod::Kind::kProjected, 100, short_limit),
                  run("EG, 100", BallMethod::Kind::kExponentiated, 100, short_limit)};

  Table table{
      .caption = fmt::format("z = {}, f − f* at the end, η_t = η0/√t with the best η0 of several:", kRadius),
      .columns = {"method", "f − f*"}};
  for (const Panel* const panel : {&left, &right}) {
    for (const Series& series : panel->series)
      table.rows.push_back({.name = series.name, .values = {series.y.back()}});
  }
  return {.panels = {left, right}, .tables = {table}};
}

}  // namespace thresher::reproduction

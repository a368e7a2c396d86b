// Duchi, Shalev-Shwartz, Singer & Chandra (2008), Fig. 6: projected against exponentiated gradient on
// documents, logistic loss within the ball. On the left with gradients from all examples and from a quarter
// of them, on the right with gradients from one example and from a hundred.
//
// The paper uses RCV1, which is not freely available; this experiment uses the words of the 20 newsgroups.
// The paper's axis is CPU time. Ours is data accesses: entries of x, and the weights of their features. With
// either method a step changes only these, and what all weights share: the tree of l1-ball, the sum of EG.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "reproduction/ball_rivals.h"
#include "reproduction/batch_run.h"
#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {
namespace {

using learners::batch::MarginLoss;

constexpr double kTextRadius = 300;            // the paper does not state z
constexpr StepSizes kStepSizes = {100, 1000};  // of η0, to try first

struct Curve {
  Series series;
  double exponent = 0;  // a of the rates η0/t^a
  double step_size = 0;
};

Curve Distance(std::string name, TunedSchedule<Trace> best, double optimum) {
  Curve curve = {std::move(best.tuned.result.objective), ExponentOf(best.kind), best.tuned.step_size};
  curve.series.name = std::move(name);
  for (double& y : curve.series.y) y -= optimum;
  return curve;
}

// Steps on single examples by one of thresher's learners, at its best schedule and step size.
TunedSchedule<Trace> Online(BallMethod::Kind kind, const DataSet& data, const RunLimit& limit) {
  const bool projected = kind == BallMethod::Kind::kProjected;
  learners::OptionValues options = {{"radius", fmt::format("{}", kTextRadius)}, {"schedule_horizon", "1"}};
  if (!projected) options["dimension"] = fmt::format("{}", data.width);
  return BestOfSchedules(
      kStepSizes,
      [&](const learners::Schedule& schedule) {
        options["schedule"] = NameOf(schedule.kind);
        options["learning_rate"] = fmt::format("{}", schedule.first);
        return RunLearner(projected ? "l1-ball" : "eg", options, data, 0, limit);
      },
      FinalObjective);
}

}  // namespace

Report BallText(const Setting& setting) {
  const DataSet data = DualData(setting);
  const Matrix matrix(data);
  const BallProblem problem = {.data = data, .loss = {MarginLoss::Kind::kLogistic}, .radius = kTextRadius};
  const auto entries = static_cast<double>(data.entries());
  const Trace exact =
      RunSolver("projected-gradient", {{"radius", fmt::format("{}", kTextRadius)}}, matrix,
                {.accesses = setting.Pick(500.0, 3000.0) * entries, .gap = 1e-6, .points = 10});
  const double optimum = exact.objective.y.back() - exact.gap.y.back();
  constexpr auto kProjected = BallMethod::Kind::kProjected;
  constexpr auto kExponentiated = BallMethod::Kind::kExponentiated;
  Table table{
      .caption = fmt::format("z = {}, final f − f*, η_t = η0/t^a with the best a of 0, ½, 1 and for it the "
                             "best η0 of 1, 3, 10, 30, …; its neighbours are worse:",
                             kTextRadius),
      .columns = {"method", "f − f*", "a", "η0"}};
  const auto add = [&](Panel* panel, const Curve& curve) {
    panel->series.push_back(curve.series);
    table.rows.push_back({curve.series.name, {curve.series.y.back(), curve.exponent, curve.step_size}});
  };
  const auto run = [&](const char* name, BallMethod::Kind kind, size_t batch, const RunLimit& limit) {
    const auto with = [&](const learners::Schedule& schedule) {
      return RunBall(problem, {.kind = kind, .batch = batch}, schedule, limit);
    };
    return Distance(name, BestOfSchedules(kStepSizes, with, FinalObjective), optimum);
  };

  Panel left{.title = "true gradients, and of a quarter",
             .x_label = "data accesses",
             .y_label = "f − f*",
             .log_y = true};
  const RunLimit long_limit = {.accesses = setting.Pick(50.0, 150.0) * entries, .points = 60};
  add(&left, run("L1, full", kProjected, 0, long_limit));
  add(&left, run("EG, full", kExponentiated, 0, long_limit));
  add(&left, run("L1, quarter", kProjected, data.size() / 4, long_limit));
  add(&left, run("EG, quarter", kExponentiated, data.size() / 4, long_limit));

  Panel right{
      .title = "gradients of 1 and 100", .x_label = "data accesses", .y_label = "f − f*", .log_y = true};
  const RunLimit short_limit = {.accesses = setting.Pick(10.0, 20.0) * entries, .points = 40};
  add(&right, Distance("L1, 1", Online(kProjected, data, short_limit), optimum));
  add(&right, Distance("EG, 1", Online(kExponentiated, data, short_limit), optimum));
  add(&right, run("L1, 100", kProjected, 100, short_limit));
  add(&right, run("EG, 100", kExponentiated, 100, short_limit));
  return {.panels = {left, right}, .tables = {table}};
}

}  // namespace thresher::reproduction

// Duchi, Shalev-Shwartz, Singer & Chandra (2008), Fig. 6: projected against exponentiated gradient on
// documents, logistic loss within the ball. On the left with gradients from all examples and from a quarter
// of them, projected in linear time; on the right with gradients from one example and from a hundred,
// projected in the tree.
//
// The paper uses RCV1, which is not freely available; this experiment uses the words of the 20 newsgroups.
// The paper's axis is CPU time. Ours is data accesses: entries of x, and the weights of their features. With
// either method a step changes only these, and what all weights share: the shift of the tree, the sum of EG.
// The tree's own nodes are not counted.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "reproduction/attempts.h"
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

// Of the work of a run.
constexpr std::array<double, 4> kTextShares = {30, 10, 3, 1};

std::vector<double> SharesOf(double work) {
  std::vector<double> works;
  works.reserve(kTextShares.size());
  for (const double share : kTextShares) works.push_back(work / share);
  works.back() = std::numeric_limits<double>::infinity();  // all: with the last step, which ends beyond
  return works;
}

Series Distance(const Trace& trace, double optimum) {
  Series series = trace.objective;
  for (double& y : series.y) y -= optimum;
  return series;
}

// Steps on single examples by one of thresher's learners.
Trace Online(BallMethod::Kind kind, const learners::Schedule& schedule, const DataSet& data,
             const RunLimit& limit) {
  const bool is_exponentiated = kind == BallMethod::Kind::kExponentiated;
  learners::OptionValues options = {{"radius", fmt::format("{}", kTextRadius)},
                                    {"schedule_horizon", "1"},
                                    {"schedule", NameOf(schedule.kind)},
                                    {"learning_rate", fmt::format("{}", schedule.first)}};
  if (is_exponentiated) options["dimension"] = fmt::format("{}", data.width);
  return RunLearner(is_exponentiated ? "eg" : "l1-ball", options, data, 0, limit);
}

// Rows of the tables, and a curve, which is the least of all attempts at each point.
class TextReport {
 public:
  void Add(Panel* panel, const std::string& name, double work, const Attempts::Run& run) {
    const std::vector<double> works = SharesOf(work);
    const Attempts attempts(kAllSchedules, kStepSizes, {.works = works}, run);
    Row distances{.name = name};
    Row steps{.name = name};
    for (const double at : works) {
      const Attempt& best = attempts.all()[attempts.BestAt(at)];
      distances.values.push_back(ValueAt(best.series, at));
      steps.values.insert(steps.values.end(), {ExponentOf(best.schedule.kind), best.schedule.first});
    }
    panel->series.push_back(attempts.Envelope(name));
    distances_.rows.push_back(distances);
    steps_.rows.push_back(steps);
  }

  Report Finish(const std::vector<Panel>& panels) {
    return {.panels = panels, .tables = {distances_, steps_}};
  }

 private:
  Table distances_ = {
      .caption = fmt::format("z = {}, f − f* after these shares of the work, each with the best steps η_t = "
                             "η0/t^a for it, a of 0, ½, 1:",
                             kTextRadius),
      .columns = {"method", "1/30", "1/10", "1/3", "all"}};
  Table steps_ = {.caption = "These steps, η0 of 1, 3, 10, 30, …; the neighbours are worse:",
                  .columns = {"method", "a, 1/30", "η0, 1/30", "a, 1/10", "η0, 1/10", "a, 1/3", "η0, 1/3",
                              "a, all", "η0, all"}};
};

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
  constexpr auto kInTree = BallMethod::Kind::kProjectedInTree;
  constexpr auto kExponentiated = BallMethod::Kind::kExponentiated;
  TextReport report;
  const auto batches = [&](BallMethod method, const RunLimit& limit) {
    return [&, method, limit](const learners::Schedule& schedule) {
      return Distance(RunBall(problem, method, schedule, limit), optimum);
    };
  };
  const auto single = [&](BallMethod::Kind kind, const RunLimit& limit) {
    return [&, kind, limit](const learners::Schedule& schedule) {
      return Distance(Online(kind, schedule, data, limit), optimum);
    };
  };

  Panel left{.title = "true gradients, and of a quarter",
             .x_label = "data accesses",
             .y_label = "f − f*",
             .log_y = true};
  const double long_work = setting.Pick(50.0, 150.0) * entries;
  const RunLimit long_limit = {.accesses = long_work, .points = 80, .early_points = true};
  const size_t quarter = data.size() / 4;
  report.Add(&left, "L1, full", long_work, batches({.kind = kProjected}, long_limit));
  report.Add(&left, "EG, full", long_work, batches({.kind = kExponentiated}, long_limit));
  report.Add(&left, "L1, quarter", long_work, batches({kProjected, quarter}, long_limit));
  report.Add(&left, "EG, quarter", long_work, batches({kExponentiated, quarter}, long_limit));

  Panel right{
      .title = "gradients of 1 and 100", .x_label = "data accesses", .y_label = "f − f*", .log_y = true};
  const double short_work = setting.Pick(10.0, 20.0) * entries;
  const RunLimit short_limit = {.accesses = short_work, .points = 60, .early_points = true};
  report.Add(&right, "L1, 1", short_work, single(kProjected, short_limit));
  report.Add(&right, "EG, 1", short_work, single(kExponentiated, short_limit));
  report.Add(&right, "L1, 100", short_work, batches({kInTree, 100}, short_limit));
  report.Add(&right, "EG, 100", short_work, batches({kExponentiated, 100}, short_limit));
  return report.Finish({left, right});
}

}  // namespace thresher::reproduction

// Duchi, Shalev-Shwartz, Singer & Chandra (2008), Fig. 8: projected gradient on the ℓ1-ball against
// exponentiated gradient, online, on word pairs of documents.
//
// The paper uses RCV1, which is not freely available. This experiment uses the 20 newsgroups, and synthetic
// documents of the paper's size: 1,946,684 features, about 1,000 of them in each document.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/loss/loss.h"
#include "reproduction/online_model.h"
#include "reproduction/runs.h"
#include "reproduction/sets/synthetic_text.h"
#include "reproduction/sets/text_features.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {
namespace {

constexpr double kRadius = 100;  // as in the paper

struct OnlineMethod {
  const char* name;
  const char* learner;
  StepSizes sizes;  // to try first
};
constexpr std::array<OnlineMethod, 2> kOnlineMethods = {{{"EG", "eg", {3, 10}}, {"L1", "l1-ball", {.1, .3}}}};

struct OnlineRun {
  Series loss;     // cumulative, over examples
  Series of_all;   // non-zero weights in % of all features
  Series of_seen;  // non-zero weights in % of the features seen so far
  double errors = 0;
};

OnlineRun RunOnline(const OnlineMethod& method, const learners::Schedule& schedule, const DataSet& data,
                    size_t points) {
  learners::OptionValues options = {{"schedule", NameOf(schedule.kind)},
                                    {"schedule_horizon", "1"},
                                    {"learning_rate", fmt::format("{}", schedule.first)},
                                    {"radius", fmt::format("{}", kRadius)}};
  if (method.learner == std::string_view("eg")) options["dimension"] = fmt::format("{}", data.width);
  OnlineModel model(method.learner, options, data.width);
  OnlineRun run;
  std::vector<bool> seen(data.width);
  double seen_count = 0;
  double loss = 0;
  const size_t every = std::max<size_t>(1, data.size() / points);
  for (size_t i = 0; i < data.size(); ++i) {
    const DataSet::Line x = data[i];
    const double margin = model.Score(x);
    const auto label = data.targets[i] > 0 ? learners::Label::kSpam : learners::Label::kHam;
    loss += learners::LossValue(learners::Loss::kLogistic, margin, label);
    run.errors += margin * static_cast<double>(data.targets[i]) <= 0 ? 1 : 0;
    model.Learn(x, data.targets[i], margin);
    for (const uint32_t j : x.indices) {
      seen_count += seen[j] ? 0 : 1;
      seen[j] = true;
    }
    if ((i + 1) % every != 0 && i + 1 != data.size()) continue;
    const auto at = static_cast<double>(i + 1);
    const auto nonzeros = static_cast<double>(model.Nonzeros());
    run.loss.Add(at, loss);
    run.of_all.Add(at, 100 * nonzeros / data.width);
    run.of_seen.Add(at, 100 * nonzeros / seen_count);
  }
  return run;
}

// Chooses the schedule and the step size with the least final loss. The paper chose EG's schedule, its step
// size and the radius in this way.
TunedSchedule<OnlineRun> BestRun(const OnlineMethod& method, const DataSet& data, size_t points) {
  return BestOfSchedules(
      method.sizes,
      [&](const learners::Schedule& schedule) { return RunOnline(method, schedule, data, points); },
      [](const OnlineRun& run) { return run.loss.y.back(); });
}

class OnlineReport {
 public:
  explicit OnlineReport(size_t points) : points_(points) {}

  void AddTask(const std::string& name, const DataSet& data) {
    Panel loss{.title = "cumulative loss: " + name, .x_label = "examples", .y_label = "cumulative log-loss"};
    Panel sparsity{.title = "non-zero weights: " + name, .x_label = "examples", .y_label = "%"};
    for (const OnlineMethod& method : kOnlineMethods) {
      TunedSchedule<OnlineRun> best = BestRun(method, data, points_);
      OnlineRun& run = best.tuned.result;
      const auto examples = static_cast<double>(data.size());
      table_.rows.push_back(
          {.name = name + ", " + method.name,
           .values = {ExponentOf(best.kind), best.tuned.step_size, run.loss.y.back() / examples,
                      100 * run.errors / examples, run.of_all.y.back(), run.of_seen.y.back()}});
      run.loss.name = method.name;
      run.of_all.name = std::string(method.name) + ", of all features";
      run.of_seen.name = std::string(method.name) + ", of those seen";
      loss.series.push_back(run.loss);
      sparsity.series.push_back(run.of_all);
      sparsity.series.push_back(run.of_seen);
    }
    report_.panels.push_back(loss);
    report_.panels.push_back(sparsity);
  }

  Report Finish() {
    report_.tables = {table_};
    return report_;
  }

 private:
  size_t points_;
  Report report_;
  Table table_ = {
      .caption =
          "Online, z = 100, all values 1, η_t = η0/t^a with the best a of 0, ½, 1 and for it the best η0 of "
          "…, .1, .3, 1, 3, 10, …; its neighbours are worse:",
      .columns = {"task, method", "a", "η0", "log-loss per example", "error %", "non-zero %", "% of seen"}};
};

}  // namespace

Report BallOnline(const Setting& setting) {
  OnlineReport report(setting.Pick<size_t>(5, 30));
  const TextShape shape = {.examples = setting.Pick<size_t>(1500, 10'000),
                           .width = setting.Pick<uint32_t>(20'000, 1'946'684),
                           .features = setting.Pick<size_t>(50, 1000),
                           .informative = setting.Pick(0.3, 0.05)};
  report.AddTask("synthetic", MakeSyntheticText(shape, 1));
  if (setting.size == Size::kFull) {
    const Posts posts = ReadNewsgroups(setting.sets);
    report.AddTask("comp + sci", MakeText(posts, TextFeatures::kPairs, 1, IsComputingOrScience));
    report.AddTask("talk", MakeText(posts, TextFeatures::kPairs, 1, IsTalk));
  }
  return report.Finish();
}

}  // namespace thresher::reproduction

// Duchi, Shalev-Shwartz, Singer & Chandra (2008), Fig. 7: projected gradient against exponentiated gradient
// on handwritten digits, with one ball w_j ≥ 0, ‖w_j‖₁ ≤ z for each class; with true gradients, and with
// those of 1 % of the examples.
//
// The quick size uses noisy random prototypes instead of the digits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "learners/magnitudes/ball_threshold.h"
#include "reproduction/attempts.h"
#include "reproduction/batch_run.h"
#include "reproduction/kernel_logistic.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {
namespace {

// One gradient step of the weights of one class, within a ball of that radius.
using Step = void (*)(std::span<double> weights, std::span<const double> gradient, double rate,
                      double radius);

void ProjectedStep(std::span<double> weights, std::span<const double> gradient, double rate, double radius) {
  std::vector<double> positive(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = positive[i] = std::max(0.0, weights[i] - rate * gradient[i]);
  }
  const double threshold = learners::BallThreshold(positive, radius);
  for (double& weight : weights) weight = std::max(0.0, weight - threshold);
}

void ExponentiatedStep(std::span<double> weights, std::span<const double> gradient, double rate,
                       double radius) {
  const double least = *std::ranges::min_element(gradient);  // so that exp does not overflow
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] *= std::exp(-rate * (gradient[i] - least));
    sum += weights[i];
  }
  for (double& weight : weights) weight *= radius / sum;
}

struct Method {
  const char* name;
  Step step;
  StepSizes sizes;  // to try first
};
constexpr std::array<Method, 2> kMethods = {
    {{"EG", ExponentiatedStep, {300, 1000}}, {"L1", ProjectedStep, {100, 300}}}};

struct Plan {
  double radius = 0;  // z
  size_t steps = 0;
  size_t batch = 0;   // examples per gradient; 0: all of them
  size_t points = 0;  // at equal ratios

  Plan Within(double ball) const {
    Plan plan = *this;
    plan.radius = ball;
    return plan;
  }
};

struct DescentRun {
  Series loss;
  double zeros = 0;  // % of the weights at the end
};

DescentRun Descend(const KernelLogistic& problem, const Plan& plan, const Method& method,
                   const learners::Schedule& schedule) {
  const size_t support = problem.support();
  std::vector<double> weights(KernelLogistic::kClasses * support, plan.radius / static_cast<double>(support));
  std::vector<double> gradient(weights.size());
  std::vector<uint32_t> all(problem.examples());
  std::iota(all.begin(), all.end(), 0U);
  std::mt19937_64 random(1);
  std::uniform_int_distribution<uint32_t> draw(0, static_cast<uint32_t>(all.size() - 1));
  std::vector<uint32_t> batch(plan.batch);
  DescentRun run;
  RecordClock clock(
      {.accesses = static_cast<double>(plan.steps), .points = plan.points, .early_points = true});
  for (size_t t = 0; t <= plan.steps; ++t) {
    for (uint32_t& example : batch) example = draw(random);
    std::ranges::fill(gradient, 0);
    const double loss = problem.Loss(weights, plan.batch == 0 ? all : batch, gradient);
    if (clock.IsDue(static_cast<double>(t)) || t == plan.steps) {
      run.loss.Add(static_cast<double>(t), plan.batch == 0 ? loss : problem.Loss(weights, all, {}));
    }
    for (size_t c = 0; c < KernelLogistic::kClasses && t < plan.steps; ++c) {
      method.step(std::span(weights).subspan(c * support, support),
                  std::span(gradient).subspan(c * support, support), schedule.Rate(t), plan.radius);
    }
  }
  run.zeros =
      100 * static_cast<double>(std::ranges::count(weights, 0.0)) / static_cast<double>(weights.size());
  return run;
}

// Of the gradients. With gradients of 1 % the paper's axis ends at the first.
constexpr std::array<double, 5> kDigitShares = {200, 30, 10, 3, 1};

// Rows of the tables, and curves, each the least of all attempts at each point.
class DigitReport {
 public:
  explicit DigitReport(const KernelLogistic& problem) : problem_(problem) {}

  void AddPanel(const std::string& title, const Plan& plan) {
    Panel panel{.title = title, .x_label = "gradients", .y_label = "multiclass logistic loss", .log_y = true};
    for (const Method& method : kMethods) {
      Aims aims;
      for (const double share : kDigitShares) aims.works.push_back(static_cast<double>(plan.steps) / share);
      std::vector<double> zeros;  // of each attempt
      const Attempts attempts(kAllSchedules, method.sizes, aims, [&](const learners::Schedule& schedule) {
        DescentRun run = Descend(problem_, plan, method, schedule);
        zeros.push_back(run.zeros);
        return run.loss;
      });
      Row losses{.name = title + ", " + method.name};
      Row steps{.name = losses.name};
      for (const double at : aims.works) {
        const Attempt& best = attempts.all()[attempts.BestAt(at)];
        losses.values.push_back(ValueAt(best.series, at));
        steps.values.insert(steps.values.end(), {ExponentOf(best.schedule.kind), best.schedule.first});
      }
      losses.values.push_back(zeros[attempts.BestAt(aims.works.back())]);
      losses_.rows.push_back(losses);
      steps_.rows.push_back(steps);
      panel.series.push_back(attempts.Envelope(method.name));
    }
    panels_.push_back(std::move(panel));
  }

  Report Finish(size_t gradients) {
    losses_.caption = fmt::format(
        "{} examples, a support set of {}, {} true gradients or {} of 1 %. Loss after these shares of them, "
        "each "
        "with the best steps η_t = η0/t^a for it, a of 0, ½, 1; zero weights at the end of the best for all:",
        problem_.examples(), problem_.support(), gradients, 10 * gradients);
    return {.panels = std::move(panels_), .tables = {losses_, steps_}};
  }

 private:
  const KernelLogistic& problem_;
  std::vector<Panel> panels_;
  Table losses_ = {
      .columns = {"z, gradients, method", "1/200", "1/30", "1/10", "1/3", "all", "zero weights %"}};
  Table steps_ = {.caption = "These steps, η0 of 1, 3, 10, 30, …; the neighbours are worse:",
                  .columns = {"z, gradients, method", "a, 1/200", "η0, 1/200", "a, 1/30", "η0, 1/30",
                              "a, 1/10", "η0, 1/10", "a, 1/3", "η0, 1/3", "a, all", "η0, all"}};
};

KernelLogistic RealProblem(const Setting& setting) {
  constexpr size_t kExamples = 10'000;
  constexpr size_t kSupport = 1000;  // the paper's 2,766 would take an hour
  const Digits digits = ReadDigits(setting.sets);
  return {std::span(digits.pixels).first(kExamples * Digits::kPixels), Digits::kPixels,
          std::span(digits.labels).first(kExamples), kSupport};
}

KernelLogistic SyntheticProblem() {
  constexpr size_t kExamples = 300;
  constexpr size_t kSupport = 100;
  constexpr size_t kPixels = 64;
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> prototypes(KernelLogistic::kClasses * kPixels);
  for (float& pixel : prototypes) pixel = 0.6F * normal(random);
  std::vector<float> images;
  std::vector<uint8_t> labels;
  for (size_t i = 0; i < kExamples; ++i) {
    labels.push_back(static_cast<uint8_t>(random() % KernelLogistic::kClasses));
    for (size_t pixel = 0; pixel < kPixels; ++pixel) {
      images.push_back(prototypes[labels.back() * kPixels + pixel] + 0.7F * normal(random));
    }
  }
  return {images, kPixels, labels, kSupport};
}

}  // namespace

Report BallDigits(const Setting& setting) {
  const bool full = setting.size == Size::kFull;
  const KernelLogistic problem = full ? RealProblem(setting) : SyntheticProblem();
  const auto steps = setting.Pick<size_t>(40, 400);
  // The radii z to try; the paper does not state z.
  const auto radii = setting.Pick<std::vector<double>>({30, 100}, {100, 300, 1000});
  DigitReport report(problem);
  for (const bool stochastic : {false, true}) {
    const Plan plan = {.steps = stochastic ? 10 * steps : steps,
                       .batch = stochastic ? problem.examples() / 100 : 0,
                       .points = setting.Pick<size_t>(20, stochastic ? 40 : 100)};
    const char* const gradients = stochastic ? "gradients of 1 % of the examples" : "true gradients";
    for (const double radius : radii) {
      report.AddPanel(fmt::format("z = {}, {}", radius, gradients), plan.Within(radius));
    }
  }
  return report.Finish(steps);
}

}  // namespace thresher::reproduction

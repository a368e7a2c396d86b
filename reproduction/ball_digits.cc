// Duchi, Shalev-Shwartz, Singer & Chandra (2008), Fig. 7: projected gradient against exponentiated gradient
// on handwritten digits, one ball w_j ≥ 0, ‖w_j‖₁ ≤ z for each class; with true gradients, and with those of
// 1 % of the examples.
//
// Quick, or without the digits: blurred random prototypes in their place.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "learners/ball_threshold.h"
#include "reproduction/kernel_logistic.h"
#include "reproduction/runs.h"
#include "reproduction/sets/readers.h"

namespace thresher::reproduction {
namespace {

// A step of one class's weights, within the ball of that radius, against its gradient.
using Step = void (*)(std::span<double> weights, std::span<const double> gradient, double rate,
                      double radius);

void ProjectedStep(std::span<double> weights, std::span<const double> gradient, double rate, double radius) {
  std::vector<double> positive(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = positive[i] = std::max(0.0, weights[i] - rate * gradient[i]);
  }
  const double threshold = learners::BallThresholdByPivots(positive, radius);
  for (double& weight : weights) weight = std::max(0.0, weight - threshold);
}

void ExponentiatedStep(std::span<double> weights, std::span<const double> gradient, double rate,
                       double radius) {
  const double least = *std::ranges::min_element(gradient);  // nothing overflows
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
  std::array<double, 4> rates;
};
constexpr std::array<Method, 2> kMethods = {
    {{"EG", ExponentiatedStep, {10, 30, 100, 300}}, {"L1", ProjectedStep, {30, 100, 300, 1000}}}};

struct Plan {
  double radius = 0;  // z; the paper does not state it
  size_t steps = 0;
  size_t batch = 0;  // examples for a gradient; 0: all
  size_t points = 0;
};

struct DescentRun {
  Series loss;
  double zeros = 0;  // % of the weights at the end
};

DescentRun Descend(const KernelLogistic& problem, const Plan& plan, const Method& method, double rate,
                   bool falling) {
  const size_t support = problem.support();
  std::vector<double> weights(KernelLogistic::kClasses * support, plan.radius / static_cast<double>(support));
  std::vector<double> gradient(weights.size());
  std::vector<uint32_t> all(problem.examples());
  std::iota(all.begin(), all.end(), 0U);
  std::mt19937_64 random(1);
  std::uniform_int_distribution<uint32_t> draw(0, static_cast<uint32_t>(all.size() - 1));
  std::vector<uint32_t> batch(plan.batch);
  DescentRun run;
  for (size_t t = 0; t <= plan.steps; ++t) {
    for (uint32_t& example : batch) example = draw(random);
    std::ranges::fill(gradient, 0);
    const double loss = problem.Loss(weights, plan.batch == 0 ? all : batch, gradient);
    if (t % (plan.steps / plan.points) == 0) {
      run.loss.Add(static_cast<double>(t), plan.batch == 0 ? loss : problem.Loss(weights, all, {}));
    }
    const double now = falling ? rate / std::sqrt(static_cast<double>(t + 1)) : rate;
    for (size_t c = 0; c < KernelLogistic::kClasses && t < plan.steps; ++c) {
      method.step(std::span(weights).subspan(c * support, support),
                  std::span(gradient).subspan(c * support, support), now, plan.radius);
    }
  }
  run.zeros =
      100 * static_cast<double>(std::ranges::count(weights, 0.0)) / static_cast<double>(weights.size());
  return run;
}

struct Best {
  DescentRun run;
  double rate = 0;
  bool falling = false;
};

Best BestDescent(const KernelLogistic& problem, const Plan& plan, const Method& method) {
  std::optional<Best> best;
  for (const bool falling : {false, true}) {
    for (const double rate : method.rates) {
      DescentRun run = Descend(problem, plan, method, rate, falling);
      if (!best || run.loss.y.back() < best->run.loss.y.back()) best = Best{std::move(run), rate, falling};
    }
  }
  return *best;
}

KernelLogistic RealProblem(const Setting& setting) {
  constexpr size_t kExamples = 4000;
  constexpr size_t kSupport = 2766;  // the paper's
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
  const KernelLogistic problem = setting.size == Size::kFull ? RealProblem(setting) : SyntheticProblem();
  const auto steps = setting.Pick<size_t>(40, 150);
  const double radius = setting.Pick(100.0, 1000.0);
  Report report;
  Table table{.caption = fmt::format("z = {}, {} examples, best of eight step sizes for each:", radius,
                                     problem.examples()),
              .columns = {"gradients, method", "η0", "falls as 1/√t", "loss", "zero weights %"}};
  for (const bool stochastic : {false, true}) {
    const Plan plan = {.radius = radius,
                       .steps = stochastic ? 10 * steps : steps,
                       .batch = stochastic ? problem.examples() / 100 : 0,
                       .points = setting.Pick<size_t>(10, 50)};
    const std::string title = stochastic ? "gradients of 1 % of the examples" : "true gradients";
    Panel panel{.title = title, .x_label = "gradients", .y_label = "multiclass logistic loss", .log_y = true};
    for (const Method& method : kMethods) {
      Best best = BestDescent(problem, plan, method);
      best.run.loss.name = method.name;
      table.rows.push_back(
          {.name = title + ", " + method.name,
           .values = {best.rate, best.falling ? 1.0 : 0.0, best.run.loss.y.back(), best.run.zeros}});
      panel.series.push_back(std::move(best.run.loss));
    }
    report.panels.push_back(std::move(panel));
  }
  report.tables = {table};
  return report;
}

}  // namespace thresher::reproduction

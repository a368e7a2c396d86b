// Carbonetto, Schmidt & de Freitas (2008), Sec. 2 to 4.1: the method with constraints other than bounds, and
// the proposition, by which x and z converge to the solution and its multipliers if σ_k goes to 0.
//
// f(x) = ½E‖x − ξ‖², of which a step sees y = x − ξ with ξ ~ N(centre, 1). The minimum is the projection of
// the centre onto the feasible set. The paper has no such experiment.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include "learners/interior/constrained_descent.h"
#include "learners/magnitudes/simplex.h"
#include "learners/rule/schedule.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

using learners::Schedule;

constexpr std::array<double, 10> kCentre = {2, 1.5, 1, 0.5, 0.25, -0.25, -0.5, -1, -1.5, -2};
constexpr size_t kVariables = kCentre.size();
constexpr double kFirst = 50;  // k0 of the step sizes 1/(k0 + k), as in the paper's simulations

// Constraint 0, and x_j ≥ 0 as constraint 1 + j.
class PositiveAnd : public learners::Constraints {
 public:
  size_t count() const override { return 1 + kVariables; }
  double Value(size_t i, std::span<const double> x) const override { return i == 0 ? First(x) : -x[i - 1]; }
  void Gradient(size_t i, std::span<const double> x, std::span<double> gradient) const override {
    if (i > 0) {
      std::ranges::fill(gradient, 0);
      gradient[i - 1] = -1;
    } else {
      FirstGradient(x, gradient);
    }
  }
  void AddCurvature(size_t /*i*/, std::span<const double> /*x*/, double /*factor*/,
                    std::span<double> /*matrix*/) const override {}

 private:
  virtual double First(std::span<const double> x) const = 0;
  virtual void FirstGradient(std::span<const double> x, std::span<double> gradient) const = 0;
};

// Σ x ≤ 2
class Corner final : public PositiveAnd {
 public:
  static constexpr double kTotal = 2;

 private:
  double First(std::span<const double> x) const override {
    double sum = -kTotal;
    for (const double each : x) sum += each;
    return sum;
  }
  void FirstGradient(std::span<const double> /*x*/, std::span<double> gradient) const override {
    std::ranges::fill(gradient, 1);
  }
};

// ½‖x‖² ≤ ½
class PartOfBall final : public PositiveAnd {
 public:
  void AddCurvature(size_t i, std::span<const double> x, double factor,
                    std::span<double> matrix) const override {
    if (i > 0) return;
    for (size_t j = 0; j < x.size(); ++j) matrix[j * x.size() + j] += factor;
  }

 private:
  double First(std::span<const double> x) const override {
    double sum = -0.5;
    for (const double each : x) sum += each * each / 2;
    return sum;
  }
  void FirstGradient(std::span<const double> x, std::span<double> gradient) const override {
    std::ranges::copy(x, gradient.begin());
  }
};

// Each projects onto its set.
void IntoCorner(std::span<double> x) {
  double sum = 0;
  for (double& each : x) sum += each = std::max(each, 0.0);
  if (sum > Corner::kTotal) learners::ProjectOntoSimplex(x, Corner::kTotal);
}
void IntoPartOfBall(std::span<double> x) {
  double squares = 0;
  for (double& each : x) {
    each = std::max(each, 0.0);
    squares += each * each;
  }
  for (double& each : x) each /= std::max(1.0, std::sqrt(squares));
}

struct Problem {
  const char* name;
  const learners::Constraints& constraints;
  void (*project)(std::span<double> x);

  std::vector<double> Solution() const {
    std::vector<double> x(kCentre.begin(), kCentre.end());
    project(x);
    return x;
  }
  // The multipliers: Σ z_i ∇c_i = centre − x. The first is found where x_0 > 0, so that the bound's is 0.
  std::vector<double> Multipliers() const {
    const std::vector<double> x = Solution();
    std::vector<double> slope(kVariables);
    constraints.Gradient(0, x, slope);
    std::vector<double> z = {(kCentre[0] - x[0]) / slope[0]};
    for (size_t j = 0; j < kVariables; ++j) z.push_back(x[j] + z[0] * slope[j] - kCentre[j]);
    return z;
  }
};

double EuclideanDistance(std::span<const double> a, std::span<const double> b) {
  double squares = 0;
  for (size_t j = 0; j < a.size(); ++j) squares += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(squares);
}

// Where to look, and what was seen there: sums over the seeds.
struct Track {
  std::vector<double> steps;
  std::vector<double> of_x = std::vector<double>(steps.size());
  std::vector<double> of_z = std::vector<double>(steps.size());
};

// Draws ξ at each step and calls step(ξ, â_k, k).
template <class Step, class See>
void RunNoisy(uint64_t seed, Track& track, Step step, See see) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::array<double, kVariables> drawn;
  double k = 0;
  for (size_t at = 0; at < track.steps.size(); ++at) {
    while (k < track.steps[at]) {
      k += 1;
      for (size_t j = 0; j < kVariables; ++j) drawn[j] = kCentre[j] + normal(random);
      step(drawn, 1 / (kFirst + k), k);
    }
    see(at);
  }
}

void RunInteriorPoint(const Problem& problem, Schedule::Kind falls, uint64_t seed, Track& track) {
  const Schedule centering = {.kind = falls, .first = 0.5, .horizon = kFirst};
  learners::ConstrainedDescent descent(problem.constraints, std::vector<double>(kVariables, 0.1), 1);
  std::vector<double> gradient(kVariables);
  RunNoisy(
      seed, track,
      [&](std::span<const double> drawn, double longest, double k) {
        for (size_t j = 0; j < kVariables; ++j) gradient[j] = descent.x()[j] - drawn[j];
        descent.Step(gradient, longest, centering.Rate(static_cast<uint64_t>(k)));
      },
      [&](size_t at) {
        track.of_x[at] += EuclideanDistance(descent.x(), problem.Solution());
        track.of_z[at] += EuclideanDistance(descent.z(), problem.Multipliers());
      });
}

void RunProjected(const Problem& problem, uint64_t seed, Track& track) {
  std::vector<double> x(kVariables, 0.1);
  RunNoisy(
      seed, track,
      [&](std::span<const double> drawn, double longest, double) {
        for (size_t j = 0; j < kVariables; ++j) x[j] += longest * (drawn[j] - x[j]);
        problem.project(x);
      },
      [&](size_t at) { track.of_x[at] += EuclideanDistance(x, problem.Solution()); });
}

Series MeanOf(const std::string& name, const Track& track, const std::vector<double>& sums, uint64_t seeds) {
  Series series{.name = name};
  for (size_t at = 0; at < sums.size(); ++at) {
    series.Add(track.steps[at], sums[at] / static_cast<double>(seeds));
  }
  return series;
}

}  // namespace

Report InteriorPointConstraints(const Setting& setting) {
  const auto seeds = setting.Pick<uint64_t>(2, 5);
  const Track empty{.steps =
                        setting.Pick<std::vector<double>>({100, 1000, 10'000}, {100, 1000, 10'000, 100'000})};
  const Corner corner;
  const PartOfBall ball;
  const std::array<Problem, 2> problems = {
      {{"x ≥ 0, Σ x ≤ 2", corner, IntoCorner}, {"x ≥ 0, ‖x‖² ≤ 1", ball, IntoPartOfBall}}};
  const std::array<std::pair<const char*, Schedule::Kind>, 3> schedules = {
      {{"σ = ½", Schedule::Kind::kConstant},
       {"σ_k = ½/√(1 + k/50)", Schedule::Kind::kInverseSqrt},
       {"σ_k = ½/(1 + k/50)", Schedule::Kind::kInverse}}};
  Table table{.caption = fmt::format("Mean distance from the solution x* and from its multipliers z* after k "
                                     "steps of 1/(50 + k), {} seeds:",
                                     seeds),
              .columns = {"constraints, method"}};
  for (const char* const of : {"x", "z"}) {
    for (const double k : empty.steps) table.columns.push_back(fmt::format("{}, k = {}", of, k));
  }
  Report report;
  for (const Problem& problem : problems) {
    Panel panel{
        .title = problem.name, .x_label = "steps", .y_label = "‖x − x*‖", .log_x = true, .log_y = true};
    const auto add = [&](const std::string& name, const Track& track, bool has_multipliers) {
      panel.series.push_back(MeanOf(name, track, track.of_x, seeds));
      Row row{.name = fmt::format("{}, {}", problem.name, name), .values = panel.series.back().y};
      for (const double sum : track.of_z) {
        row.values.push_back(has_multipliers ? sum / static_cast<double>(seeds) : std::nan(""));
      }
      table.rows.push_back(std::move(row));
    };
    for (const auto& [name, falls] : schedules) {
      Track track = empty;
      for (uint64_t seed = 1; seed <= seeds; ++seed) RunInteriorPoint(problem, falls, seed, track);
      add(name, track, true);
    }
    Track track = empty;
    for (uint64_t seed = 1; seed <= seeds; ++seed) RunProjected(problem, seed, track);
    add("projected gradient", track, false);
    report.panels.push_back(std::move(panel));
  }
  report.tables = {std::move(table)};
  return report;
}

}  // namespace thresher::reproduction

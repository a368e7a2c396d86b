// The methods that the experiments are made of, compared with other implementations.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "reproduction/ball_rivals.h"
#include "reproduction/barrier_newton.h"
#include "reproduction/kernel_logistic.h"
#include "reproduction/online_model.h"
#include "reproduction/sets/synthetic_text.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {
namespace {

using learners::batch::MarginLoss;

DataSet Text() {
  DataSet data = MakeSyntheticText({.examples = 100, .width = 60, .features = 8}, 2);
  NormaliseExamples(&data);
  return data;
}

TEST(Matrix, ColumnsHoldWhatRowsHold) {
  const DataSet data = Text();
  const Matrix matrix(data);
  const learners::batch::Examples examples = matrix.examples();
  ASSERT_EQ(examples.columns.entries(), data.entries());
  for (uint32_t j = 0; j < data.width; ++j) {
    const auto column = examples.columns[j];
    for (size_t k = 0; k < column.size(); ++k) {
      const DataSet::Line row = data[column.indices[k]];
      const auto at = std::ranges::find(row.indices, j) - row.indices.begin();
      EXPECT_EQ(row.values[static_cast<size_t>(at)], column.values[k]);
      if (k == 0) continue;
      EXPECT_LT(column.indices[k - 1], column.indices[k]);
    }
  }
}

TEST(BarrierNewton, FindsTheMinimumThatCoordinateDescentFinds) {
  const DataSet data = Text();
  const Matrix matrix(data);
  for (const auto kind : {MarginLoss::Kind::kLogistic, MarginLoss::Kind::kSquared}) {
    const Trace newton = RunBarrierNewton(matrix, {kind}, 0.01, {.accesses = 1e9, .gap = 1e-9});
    const Trace coordinate = RunSolver(
        "scd", {{"l1", "0.01"}, {"loss", kind == MarginLoss::Kind::kLogistic ? "logistic" : "squared"}},
        matrix, {.accesses = 1e9, .gap = 1e-9});
    EXPECT_LE(newton.gap.y.back(), 1e-9);
    EXPECT_NEAR(newton.objective.y.back(), coordinate.objective.y.back(), 2e-9);
  }
}

TEST(RunBall, BothMethodsApproachTheMinimumOverTheBall) {
  const DataSet data = Text();
  const Matrix matrix(data);
  const BallProblem problem = {.data = data, .loss = {MarginLoss::Kind::kLogistic}, .radius = 5};
  const RunLimit limit = {.accesses = 3000.0 * static_cast<double>(data.entries()), .gap = 1e-7};
  const double least = RunSolver("projected-gradient", {{"radius", "5"}}, matrix, limit).objective.y.back();
  for (const auto kind : {BallMethod::Kind::kProjected, BallMethod::Kind::kExponentiated}) {
    for (const size_t batch : {size_t{0}, size_t{20}}) {
      const auto with = [&](const learners::Schedule& schedule) {
        return RunBall(problem, {.kind = kind, .batch = batch}, schedule, limit);
      };
      const auto last_objective = [](const Trace& of) { return of.objective.y.back(); };
      const Trace trace = BestOfSchedules({3, 10}, with, last_objective).tuned.result;
      EXPECT_GE(trace.objective.y.back(), least - 1e-6);
      EXPECT_LT(trace.objective.y.back(), least + 0.003);
      EXPECT_LE(std::accumulate(trace.weights.begin(), trace.weights.end(), 0.0,
                                [](double sum, double w) { return sum + std::abs(w); }),
                5 * (1 + 1e-12));
    }
  }
}

// The tree's steps are those of the projection in linear time, also where the steps are so long that the
// shift is taken out of the weights.
TEST(RunBall, InTheTreeEqualsTheProjectionInLinearTime) {
  const DataSet data = Text();
  const BallProblem problem = {.data = data, .loss = {MarginLoss::Kind::kLogistic}, .radius = 2};
  const RunLimit limit = {.accesses = 60.0 * static_cast<double>(data.entries()), .points = 10};
  for (const double size : {1.0, 1000.0}) {
    const learners::Schedule falling = {.kind = learners::Schedule::Kind::kInverseSqrt, .first = size};
    const auto run = [&](BallMethod::Kind kind) {
      return RunBall(problem, {.kind = kind, .batch = 20}, falling, limit);
    };
    const Trace tree = run(BallMethod::Kind::kProjectedInTree);
    const Trace linear = run(BallMethod::Kind::kProjected);
    ASSERT_EQ(tree.objective.x, linear.objective.x);
    for (size_t i = 0; i < tree.objective.y.size(); ++i) {
      EXPECT_NEAR(tree.objective.y[i], linear.objective.y[i], 1e-9) << size;
    }
    for (size_t j = 0; j < tree.weights.size(); ++j) {
      EXPECT_NEAR(tree.weights[j], linear.weights[j], 1e-9) << size;
    }
    EXPECT_LT(tree.nonzeros.y.back(), data.width);
  }
}

// Two examples with a feature in common: a step with both reads their five entries twice, and four weights.
TEST(RunBall, AStepCountsEntriesTwiceAndTheirFeaturesOnce) {
  DataSet data;
  data.width = 1000;
  for (const uint32_t j : {0U, 1U, 2U}) data.AddEntry(j, 1);
  data.EndExample(1);
  for (const uint32_t j : {2U, 3U}) data.AddEntry(j, 1);
  data.EndExample(-1);
  const BallProblem problem = {.data = data, .loss = {MarginLoss::Kind::kLogistic}, .radius = 2};
  for (const auto kind :
       {BallMethod::Kind::kProjected, BallMethod::Kind::kProjectedInTree, BallMethod::Kind::kExponentiated}) {
    const Trace trace = RunBall(problem, {.kind = kind},
                                {.kind = learners::Schedule::Kind::kConstant, .first = 1}, {.accesses = 28});
    EXPECT_EQ(trace.objective.x, (std::vector<double>{0, 14, 28}));
  }
}

TEST(KernelLogistic, GradientIsThatOfTheLoss) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<float> uniform;
  std::vector<float> images(size_t{40} * 9);
  for (float& pixel : images) pixel = uniform(random);
  std::vector<uint8_t> labels(40);
  for (uint8_t& label : labels) label = static_cast<uint8_t>(random() % KernelLogistic::kClasses);
  const KernelLogistic problem(images, 9, labels, 15);
  std::vector<double> weights(KernelLogistic::kClasses * 15);
  for (double& weight : weights) weight = static_cast<double>(uniform(random));
  const std::vector<uint32_t> which = {3, 1, 39, 20};
  std::vector<double> gradient(weights.size());
  problem.Loss(weights, which, gradient);
  for (size_t at = 0; at < weights.size(); at += 7) {
    std::vector<double> moved = weights;
    moved[at] += 0.05;
    const double above = problem.Loss(moved, which, {});
    moved[at] -= 0.1;
    EXPECT_NEAR(gradient[at], (above - problem.Loss(moved, which, {})) / 0.1, 2e-4) << at;
  }
}

// Without a penalty, the learner equals gradient descent on an array.
TEST(OnlineModel, LearnsWhatItsLearnerSays) {
  const DataSet data = Text();
  OnlineModel model(
      "lazy-sgd", {{"l1", "0"}, {"l2", "0"}, {"learning_rate", "0.5"}, {"schedule", "constant"}}, data.width);
  std::vector<double> weights(data.width);
  for (size_t i = 0; i < data.size(); ++i) {
    double margin = 0;
    for (size_t k = 0; k < data[i].indices.size(); ++k) {
      margin += weights[data[i].indices[k]] * static_cast<double>(data[i].values[k]);
    }
    EXPECT_NEAR(model.Score(data[i]), margin, 1e-9);
    const auto y = static_cast<double>(data.targets[i]);
    for (size_t k = 0; k < data[i].indices.size(); ++k) {
      weights[data[i].indices[k]] +=
          0.5 * y / (1 + std::exp(y * margin)) * static_cast<double>(data[i].values[k]);
    }
    model.Learn(data[i], data.targets[i], model.Score(data[i]));
  }
  const std::vector<double> learned = model.Weights();
  for (size_t j = 0; j < weights.size(); ++j) EXPECT_NEAR(learned[j], weights[j], 1e-9);
}

}  // namespace
}  // namespace thresher::reproduction

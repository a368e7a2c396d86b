#include "tests/learners/batch/small_problem.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace thresher::learners::batch {

void SmallProblem::Lines::Add(const SparseRow& line) {
  for (const auto& [index, value] : line) {
    indices.push_back(index);
    values.push_back(value);
  }
  starts.push_back(indices.size());
}

SmallProblem::SmallProblem(const std::vector<SparseRow>& rows, std::vector<float> targets, uint32_t width,
                           uint32_t classes)
    : targets_(std::move(targets)), width_(width), classes_(classes) {
  std::vector<SparseRow> columns(width);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    rows_.Add(rows[i]);
    for (const auto& [j, value] : rows[i]) columns[j][i] = value;
  }
  for (const SparseRow& column : columns) columns_.Add(column);
}

SmallProblem SmallProblem::Random(uint64_t seed, size_t examples, uint32_t features, uint32_t classes) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const uint32_t outputs = std::max(classes, 1U);
  std::vector<double> hidden(size_t{features} * outputs);
  for (double& each : hidden) each = normal(random);
  std::vector<SparseRow> rows(examples);
  std::vector<float> targets;
  for (SparseRow& row : rows) {
    std::vector<double> margins(outputs);
    for (uint32_t j = 0; j < features; ++j) {
      if (random() % 3 != 0) continue;
      row[j] = static_cast<float>(normal(random));
      for (uint32_t c = 0; c < outputs; ++c) {
        margins[c] += hidden[j * outputs + c] * static_cast<double>(row[j]);
      }
    }
    for (double& margin : margins) margin += normal(random);
    const auto best = std::max_element(margins.begin(), margins.end()) - margins.begin();
    targets.push_back(classes > 0 ? static_cast<float>(best) : (margins[0] > 0 ? 1.0F : -1.0F));
  }
  return {rows, targets, features, classes};
}

Examples SmallProblem::View() const {
  return {.rows = rows_.View(width_),
          .columns = columns_.View(static_cast<uint32_t>(targets_.size())),
          .targets = targets_,
          .classes = classes_};
}

double NaivePrimal(const Examples& examples, const ElasticNetObjective& objective,
                   const std::vector<double>& weights) {
  double sum = 0;
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    sum += objective.loss.Value(Dot(examples.rows[i], weights), static_cast<double>(examples.targets[i]));
  }
  double penalty = 0;
  for (const double w : weights) penalty += objective.l1 * std::abs(w) + objective.l2 * w * w / 2;
  return sum / static_cast<double>(examples.rows.size()) + penalty;
}

double NaiveMinimum(const Examples& examples, const ElasticNetObjective& objective) {
  std::vector<double> weights(examples.rows.width);
  double least = NaivePrimal(examples, objective, weights);
  for (int round = 0; round < 1000; ++round) {
    const double before = least;
    for (double& w : weights) {
      double low = std::max(w - 4, objective.lower);
      double high = std::min(w + 4, objective.upper);
      for (int step = 0; step < 80; ++step) {
        const double third = (high - low) / 3;
        w = low + third;
        const double left = NaivePrimal(examples, objective, weights);
        w = high - third;
        const double right = NaivePrimal(examples, objective, weights);
        (left < right ? high : low) = left < right ? high - third : low + third;
      }
      w = (low + high) / 2;
    }
    least = NaivePrimal(examples, objective, weights);
    if (before - least < 1e-12) break;
  }
  return least;
}

}  // namespace thresher::learners::batch

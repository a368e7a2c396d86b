#include "learners/batch/elastic_net_objective.h"

#include <algorithm>
#include <vector>

#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::batch {

double ElasticNetObjective::Penalty(std::span<const double> weights) const {
  double magnitudes = 0;
  double squares = 0;
  for (const double w : weights) {
    magnitudes += std::abs(w);
    squares += w * w;
  }
  return l1 * magnitudes + l2 / 2 * squares;
}

double ElasticNetObjective::Primal(const Examples& examples, std::span<const double> weights,
                                   std::span<const double> margins) const {
  double sum = 0;
  for (size_t i = 0; i < margins.size(); ++i) {
    sum += loss.Value(margins[i], examples.Target(i));
  }
  return sum / static_cast<double>(margins.size()) + Penalty(weights);
}

std::vector<double> ElasticNetObjective::DualVariables(const Examples& examples,
                                                       std::span<const double> margins) const {
  std::vector<double> alpha(margins.size());
  for (size_t i = 0; i < margins.size(); ++i) alpha[i] = -loss.Derivative(margins[i], examples.Target(i));
  return alpha;
}

// max { c w − λ1|w| − λ2 w²/2 : l ≤ w ≤ u }. REQUIRES: finite, but for rounding.
double ElasticNetObjective::Conjugate(double correlation) const {
  const double beyond = SoftThreshold(correlation, l1);
  const double at = l2 > 0 ? Within(beyond / l2) : (beyond > 0 ? upper : lower);
  return beyond == 0 || std::isinf(at) ? 0 : at * (beyond - l2 / 2 * at);
}

double ElasticNetObjective::Dual(const Examples& examples, std::span<const double> margins) const {
  const auto n = static_cast<double>(margins.size());
  const std::vector<double> alpha = DualVariables(examples, margins);
  std::vector<double> correlations(examples.rows.width);
  for (size_t i = 0; i < margins.size(); ++i) {
    if (alpha[i] != 0) AddTo(examples.rows[i], alpha[i] / n, correlations);
  }
  double largest = 0;  // of those that only λ1 bounds
  for (const double c : correlations) {
    if (l2 == 0 && std::isinf(c > 0 ? upper : lower)) largest = std::max(largest, std::abs(c));
  }
  const double scale = largest > l1 ? l1 / largest : 1;
  double conjugate = 0;
  for (const double c : correlations) conjugate += Conjugate(scale * c);
  double sum = 0;
  for (size_t i = 0; i < margins.size(); ++i) {
    sum += loss.DualValue(scale * alpha[i], examples.Target(i));
  }
  return sum / n - conjugate;
}

ElasticNetObjective ReadElasticNetObjective(const OptionValues& complete) {
  ElasticNetObjective objective = {.loss = ReadMarginLoss(complete),
                                   .l1 = NumberOption(complete, "l1"),
                                   .l2 = NumberOption(complete, "l2")};
  if (complete.contains(kLowerOption.name)) objective.lower = NumberOption(complete, kLowerOption.name);
  if (complete.contains(kUpperOption.name)) objective.upper = NumberOption(complete, kUpperOption.name);
  return objective;
}

OptionFault NeedsAPenalty(const OptionValues& complete) {
  const ElasticNetObjective objective = ReadElasticNetObjective(complete);
  const bool is_bounded = std::isfinite(objective.lower) && std::isfinite(objective.upper);
  if (objective.l1 > 0 || objective.l2 > 0 || is_bounded) return {};
  return {"l1", "l1 and l2 are both 0; expected one of them above 0, or there may be no minimum"};
}

void ComputeMargins(const SparseLines& rows, std::span<const double> weights, std::span<double> margins) {
  for (size_t i = 0; i < rows.size(); ++i) margins[i] = Dot(rows[i], weights);
}

}  // namespace thresher::learners::batch

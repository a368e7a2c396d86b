#include "learners/batch/gap_safe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::batch {

namespace {

constexpr double kNear = 0.8;  // of λ1

}  // namespace

GapSafe::GapSafe(const Examples& examples, const ElasticNetObjective& objective)
    : examples_(examples),
      objective_(objective),
      lengths_(examples.columns.size()),
      is_left_(examples.columns.size(), 1),
      best_(examples.columns.size()),
      latest_(examples.columns.size()),
      bound_(-std::numeric_limits<double>::infinity()) {
  const auto n = static_cast<double>(examples.rows.size());
  for (size_t j = 0; j < lengths_.size(); ++j) {
    lengths_[j] = std::sqrt(SquaredNorm(examples.columns[j])) / n;
  }
}

// Sets correlations[j] = c_j for all that are left.
GapSafe::Feasible GapSafe::Correlate(std::span<const double> alpha, std::span<double> correlations) const {
  const auto n = static_cast<double>(alpha.size());
  double largest = 0;
  double conjugate = 0;
  for (size_t j = 0; j < correlations.size(); ++j) {
    if (!IsLeft(j)) continue;
    const double c = Dot(examples_.columns[j], alpha) / n;
    correlations[j] = c;
    largest = std::max(largest, std::abs(c));
    const double beyond = SoftThreshold(c, objective_.l1);
    if (objective_.l2 > 0) conjugate += beyond * beyond / (2 * objective_.l2);
  }
  const bool is_feasible = objective_.l2 > 0 || largest <= objective_.l1;
  const double scale = is_feasible ? 1 : objective_.l1 / largest;
  double sum = 0;
  for (size_t i = 0; i < alpha.size(); ++i) {
    sum += objective_.loss.DualValue(scale * alpha[i], examples_.Target(i));
  }
  return {sum / n - conjugate, scale};
}

double GapSafe::BoundOf(std::span<const double> alpha) const {
  std::vector<double> correlations(latest_.size());
  return Correlate(alpha, correlations).bound;
}

uint64_t GapSafe::Offer(std::span<const double> alpha) {
  const Feasible offered = Correlate(alpha, latest_);
  if (offered.bound > bound_) {
    bound_ = offered.bound;
    for (size_t j = 0; j < best_.size(); ++j) best_[j] = offered.scale * latest_[j];
  }
  return LeftEntries();
}

std::vector<uint32_t> GapSafe::Working(std::span<const double> weights) const {
  std::vector<uint32_t> working;
  for (uint32_t j = 0; j < weights.size(); ++j) {
    const bool is_near = IsLeft(j) && std::abs(latest_[j]) >= kNear * objective_.l1;
    if (is_near || weights[j] != 0) working.push_back(j);
  }
  return working;
}

void GapSafe::LeaveOut(double primal, std::span<const double> weights) {
  const auto n = static_cast<double>(examples_.rows.size());
  // P and D are sums of n rounded terms.
  const double gap = std::max(primal - bound_, 0.0) + 1e-13 * (1 + std::abs(primal));
  const double radius = std::sqrt(2 * n * objective_.loss.Smoothness() * gap);
  for (size_t j = 0; j < is_left_.size(); ++j) {
    if (weights[j] != 0) continue;
    if (std::abs(best_[j]) + lengths_[j] * radius < objective_.l1) is_left_[j] = 0;
  }
}

std::vector<uint32_t> GapSafe::Left() const {
  std::vector<uint32_t> left;
  for (uint32_t j = 0; j < is_left_.size(); ++j) {
    if (IsLeft(j)) left.push_back(j);
  }
  return left;
}

uint64_t GapSafe::LeftEntries() const {
  uint64_t entries = 0;
  for (size_t j = 0; j < is_left_.size(); ++j) entries += IsLeft(j) ? examples_.columns[j].size() : 0;
  return entries;
}

}  // namespace thresher::learners::batch

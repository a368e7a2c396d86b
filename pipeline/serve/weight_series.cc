#include "pipeline/serve/weight_series.h"

#include <algorithm>

namespace thresher::pipeline {

void WeightSeries::Watch(std::span<const uint64_t> ids) {
  for (const uint64_t id : ids) tokens_[id].looked_at = ++looks_;
  if (tokens_.size() <= kMostTokens) return;
  std::vector<uint64_t> looks;
  for (const auto& [id, token] : tokens_) looks.push_back(token.looked_at);
  const auto last_to_leave = looks.begin() + static_cast<std::ptrdiff_t>(tokens_.size() - kMostTokens - 1);
  std::nth_element(looks.begin(), last_to_leave, looks.end());
  std::erase_if(tokens_, [&](const auto& token) { return token.second.looked_at <= *last_to_leave; });
}

std::vector<uint64_t> WeightSeries::watched() const {
  std::vector<uint64_t> ids;
  for (const auto& [id, token] : tokens_) ids.push_back(id);
  return ids;
}

void WeightSeries::Add(std::span<const uint64_t> ids, std::span<const double> weights, int64_t time) {
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto found = tokens_.find(ids[i]);
    if (found == tokens_.end()) continue;
    std::vector<Point>& points = found->second.points;
    if (!points.empty() && points.back().weight == weights[i]) continue;
    points.push_back({time, weights[i]});
    if (points.size() <= kMostPoints) continue;
    // The first and the newest stay.
    size_t kept = 0;
    for (size_t j = 0; j < points.size(); j += 2) points[kept++] = points[j];
    points.resize(kept);
  }
}

std::vector<WeightSeries::Point> WeightSeries::PointsOf(uint64_t id) const {
  const auto found = tokens_.find(id);
  return found == tokens_.end() ? std::vector<Point>() : found->second.points;
}

}  // namespace thresher::pipeline

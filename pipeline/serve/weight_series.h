// How the weights of some tokens changed while the daemon ran, in memory.
//
// Used by ModelService: a token is watched from the moment that somebody saw it in the vocabulary. Bounded:
// of too many tokens those that were not looked at longest leave, and of too many points of a token every
// second one. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace thresher::pipeline {

class WeightSeries {
 public:
  struct Point {
    int64_t time;  // seconds since 1970
    double weight;
  };
  static constexpr size_t kMostTokens = 500;
  static constexpr size_t kMostPoints = 256;

  // From now on these tokens are watched, if they are not yet; they are the ones looked at last.
  void Watch(std::span<const uint64_t> ids);
  // All that are watched.
  std::vector<uint64_t> watched() const;
  // weights: of `ids`. What is not watched is not kept, and a weight that did not change is no new point.
  void Add(std::span<const uint64_t> ids, std::span<const double> weights, int64_t time);
  // Oldest first; empty if it is not watched.
  std::vector<Point> PointsOf(uint64_t id) const;

 private:
  struct Token {
    uint64_t looked_at;
    std::vector<Point> points;
  };
  std::unordered_map<uint64_t, Token> tokens_;
  uint64_t looks_ = 0;
};

}  // namespace thresher::pipeline

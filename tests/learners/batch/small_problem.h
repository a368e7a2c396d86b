// Small examples for batch solvers, with the memory behind the views, and a slow obvious minimiser.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/examples.h"

namespace thresher::learners::batch {

using SparseRow = std::map<uint32_t, float>;

class SmallProblem {
 public:
  SmallProblem(const std::vector<SparseRow>& rows, std::vector<float> targets, uint32_t width,
               uint32_t classes = 0);

  // A third of the entries is there; targets follow a hidden vector with some noise, or are classes.
  static SmallProblem Random(uint64_t seed, size_t examples, uint32_t features, uint32_t classes = 0);

  Examples View() const;

 private:
  struct Lines {
    std::vector<uint64_t> starts = {0};
    std::vector<uint32_t> indices;
    std::vector<float> values;

    void Add(const SparseRow& line);
    SparseLines View(uint32_t width) const { return {starts, indices, values, width}; }
  };
  Lines rows_;
  Lines columns_;
  std::vector<float> targets_;
  uint32_t width_;
  uint32_t classes_;
};

// P(w), written as it stands in the papers.
double NaivePrimal(const Examples& examples, const ElasticNetObjective& objective,
                   const std::vector<double>& weights);

// The least P for a loss with a derivative: each coordinate in turn to its own minimum, by ternary search.
double NaiveMinimum(const Examples& examples, const ElasticNetObjective& objective);

}  // namespace thresher::learners::batch

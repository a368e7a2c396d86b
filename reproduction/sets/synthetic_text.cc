#include "reproduction/sets/synthetic_text.h"

#include <algorithm>
#include <cmath>

namespace thresher::reproduction {

DataSet MakeSyntheticText(const TextShape& shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::bernoulli_distribution is_relevant(shape.relevant);
  std::bernoulli_distribution is_flipped(shape.flipped);
  std::vector<double> hidden(shape.width);
  for (double& weight : hidden) weight = is_relevant(random) ? normal(random) : 0;

  std::uniform_real_distribution<double> log_rank(0, std::log(static_cast<double>(shape.width)));
  DataSet data;
  data.width = shape.width;
  std::vector<uint32_t> features;
  for (size_t i = 0; i < shape.examples; ++i) {
    features.clear();
    while (features.size() < shape.features) {
      while (features.size() < shape.features) {
        features.push_back(std::min(static_cast<uint32_t>(std::exp(log_rank(random))), shape.width - 1));
      }
      std::ranges::sort(features);
      features.erase(std::unique(features.begin(), features.end()), features.end());
    }
    double margin = 0;
    for (const uint32_t feature : features) {
      margin += hidden[feature];
      data.AddEntry(feature, 1);
    }
    data.EndExample((margin >= 0) != is_flipped(random) ? 1 : -1);
  }
  return data;
}

}  // namespace thresher::reproduction

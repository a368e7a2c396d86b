#include "reproduction/sets/synthetic_text.h"

#include <algorithm>
#include <cmath>

namespace thresher::reproduction {

DataSet MakeSyntheticText(const TextShape& shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution is_informative(shape.informative);
  std::bernoulli_distribution is_flipped(shape.flipped);
  std::bernoulli_distribution coin(0.5);
  std::vector<float> prefers(shape.width);  // the class in which a feature is more frequent, or 0
  for (float& of_feature : prefers) of_feature = is_informative(random) ? (coin(random) ? 1.0F : -1.0F) : 0;

  std::uniform_real_distribution<double> log_rank(0, std::log(static_cast<double>(shape.width)));
  DataSet data;
  data.width = shape.width;
  std::vector<uint32_t> features;
  for (size_t i = 0; i < shape.examples; ++i) {
    const float label = coin(random) ? 1 : -1;
    features.clear();
    while (features.size() < shape.features) {
      while (features.size() < shape.features) {
        const auto rank = std::min(static_cast<uint32_t>(std::exp(log_rank(random))), shape.width - 1);
        if (prefers[rank] * label >= 0 || coin(random)) features.push_back(rank);
      }
      std::ranges::sort(features);
      features.erase(std::unique(features.begin(), features.end()), features.end());
    }
    for (const uint32_t feature : features) data.AddEntry(feature, 1);
    data.EndExample(is_flipped(random) ? -label : label);
  }
  return data;
}

}  // namespace thresher::reproduction

#include "reproduction/sets/data_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace thresher::reproduction {

DataSet Shuffled(const DataSet& data, uint64_t seed, size_t count) {
  std::vector<size_t> order(data.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::mt19937_64 random(seed);
  std::ranges::shuffle(order, random);
  order.resize(std::min(count, order.size()));
  DataSet shuffled;
  shuffled.width = data.width;
  for (const size_t i : order) {
    const DataSet::Line line = data[i];
    shuffled.indices.insert(shuffled.indices.end(), line.indices.begin(), line.indices.end());
    shuffled.values.insert(shuffled.values.end(), line.values.begin(), line.values.end());
    shuffled.EndExample(data.targets[i]);
  }
  return shuffled;
}

void ScaleColumns(DataSet* data) {
  std::vector<float> largest(data->width);
  for (size_t k = 0; k < data->values.size(); ++k) {
    float& most = largest[data->indices[k]];
    most = std::max(most, std::abs(data->values[k]));
  }
  for (size_t k = 0; k < data->values.size(); ++k) data->values[k] /= largest[data->indices[k]];
}

void NormaliseExamples(DataSet* data) {
  for (size_t i = 0; i < data->size(); ++i) {
    double squares = 0;
    for (uint64_t k = data->starts[i]; k < data->starts[i + 1]; ++k) {
      squares += static_cast<double>(data->values[k]) * static_cast<double>(data->values[k]);
    }
    if (squares == 0) continue;
    const auto factor = static_cast<float>(1 / std::sqrt(squares));
    for (uint64_t k = data->starts[i]; k < data->starts[i + 1]; ++k) data->values[k] *= factor;
  }
}

}  // namespace thresher::reproduction

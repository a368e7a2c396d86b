// Sparse examples in memory, each with a target.
//
// Made by the readers of this folder; used by the experiments. Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace thresher::reproduction {

struct DataSet {
  std::vector<uint64_t> starts = {0};  // where each example starts, and the end of the last
  std::vector<uint32_t> indices = {};  // ascending within an example
  std::vector<float> values = {};
  std::vector<float> targets = {};
  uint32_t width = 0;  // number of features

  struct Line {
    std::span<const uint32_t> indices;
    std::span<const float> values;
  };

  size_t size() const { return targets.size(); }
  uint64_t entries() const { return values.size(); }
  Line operator[](size_t i) const {
    const uint64_t begin = starts[i];
    const uint64_t count = starts[i + 1] - begin;
    return {std::span(indices).subspan(begin, count), std::span(values).subspan(begin, count)};
  }

  // Zeros are left out.
  void AddEntry(uint32_t index, float value) {
    if (value == 0) return;
    indices.push_back(index);
    values.push_back(value);
  }
  void EndExample(float target) {
    starts.push_back(values.size());
    targets.push_back(target);
  }
};

// The examples in a random order that `seed` determines: the first `count` of them, or all if there are
// fewer.
DataSet Shuffled(const DataSet& data, uint64_t seed, size_t count = SIZE_MAX);

// Divides each column by its largest magnitude, so that |x_ij| ≤ 1.
void ScaleColumns(DataSet* data);

// Divides each example by its ℓ2 norm; does not change one without entries.
void NormaliseExamples(DataSet* data);

}  // namespace thresher::reproduction

// Examples, and models to learn them with, for the benchmarks of learners.
//
// Both sides of a comparison see the same examples, in turn, in one run; the median of the passes counts.
// Used by learner_bench.cc, update_bench.cc and elastic_net_bench.cc. Thread-safety: none.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "bench/huge_array.h"
#include "bench/timing.h"
#include "learners/registry.h"
#include "learners/steps/array_model.h"

namespace thresher::learners {

struct Shape {
  size_t dimension = 0;
  double features = 0;  // per example, on average
  size_t examples = 64;
};

// The defaults of every learner, but no example is skipped.
inline const OptionValues kEveryExample = {{"min_gradient", "0"}};

// Distinct indices with a frequency of about 1/rank, at random places in memory.
inline std::vector<uint64_t> SkewedIndices(size_t dimension, size_t features, std::mt19937_64& random) {
  std::uniform_real_distribution log_rank(0.0, std::log(static_cast<double>(dimension)));
  std::vector<uint64_t> indices;
  while (indices.size() < features) {
    while (indices.size() < features) {
      const auto rank = static_cast<uint64_t>(std::exp(log_rank(random)));
      indices.push_back(rank * 0x9E3779B1U % dimension);
    }
    std::ranges::sort(indices);
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  }
  std::ranges::shuffle(indices, random);
  return indices;
}

struct Example {
  std::vector<uint64_t> ids;
  std::vector<float> values;
  Label label = Label::kHam;

  SparseVector X() const { return {.ids = ids, .values = values}; }
};

inline std::vector<Example> MakeExamples(Shape shape) {
  std::mt19937_64 random(1);
  std::vector<Example> examples(shape.examples);
  size_t made = 0;  // features made so far
  for (size_t e = 0; e < examples.size(); ++e) {
    const auto features = static_cast<size_t>(shape.features * static_cast<double>(e + 1)) - made;
    made += features;
    examples[e].ids = SkewedIndices(shape.dimension, features, random);
    examples[e].values.assign(features, 1 / std::sqrt(static_cast<float>(features)));
    examples[e].label = random() % 2 == 0 ? Label::kHam : Label::kSpam;
  }
  return examples;
}

inline double LogisticDerivative(double margin, Label label) {
  const auto y = static_cast<double>(label);
  return -y / (1 + std::exp(y * margin));
}

// Plain gradient descent on an array: a lower bound of the cost of a step.
class Plain {
 public:
  explicit Plain(size_t dimension) : weights_(dimension) {}

  double Score(const Example& example) const {
    double margin = 0;
    for (size_t i = 0; i < example.ids.size(); ++i) {
      margin += weights_[example.ids[i]] * static_cast<double>(example.values[i]);
    }
    return margin;
  }

  // w_j += g·x_j
  void Update(const Example& example, double margin) {
    const double g = -kRate * LogisticDerivative(margin, example.label);
    for (size_t i = 0; i < example.ids.size(); ++i) {
      weights_[example.ids[i]] += g * static_cast<double>(example.values[i]);
    }
  }

  void Step(const Example& example) { Update(example, Score(example)); }

 protected:
  static constexpr double kRate = 0.5;
  bench::HugeArray<double> weights_;
};

// A learner on rows in an array, which the constructor has looked up for every example.
class Resident {
 public:
  Resident(std::string_view name, size_t dimension, std::span<const Example> examples,
           const OptionValues& options = kEveryExample)
      : model_(MakeLearner(name, options).value(), dimension), pointers_(examples.size()) {
    for (size_t e = 0; e < examples.size(); ++e) {
      for (const uint64_t id : examples[e].ids) pointers_[e].push_back(model_.RowOf(id));
    }
  }

  double Score(const Example& example, size_t which) const {
    return model_.Score(example.X(), pointers_[which]);
  }

  void Update(const Example& example, size_t which, double margin) {
    model_.Learn(example.X(), example.label, margin, pointers_[which]);
  }

  // Example number `which`.
  void Step(const Example& example, size_t which) { Update(example, which, Score(example, which)); }

 private:
  ArrayModel<bench::HugeArray<uint64_t>> model_;
  std::vector<std::vector<std::byte*>> pointers_;
};

// The median time of the passes over all examples; a short pass may be measured too long or too short. The
// first pass does not count, because the system allocates memory during it.
class Passes {
 public:
  template <class Step>
  void Run(size_t examples, Step step) {
    const double seconds = bench::Seconds([&] {
      for (size_t e = 0; e < examples; ++e) step(e);
    });
    if (!std::exchange(first_, false)) seconds_.push_back(seconds);
  }
  double Seconds() {
    const auto middle = seconds_.begin() + static_cast<std::ptrdiff_t>(seconds_.size() / 2);
    std::nth_element(seconds_.begin(), middle, seconds_.end());
    return *middle;
  }
  double MicrosecondsPerStep(size_t examples) { return 1e6 * Seconds() / static_cast<double>(examples); }

 private:
  bool first_ = true;
  std::vector<double> seconds_;
};

// Runs both sides over all examples, in turn; reports microseconds per step and their ratio. A rival that
// evicts the cache is followed by several rounds of ours.
template <class Rival, class Ours>
void Compare(benchmark::State& state, size_t examples, int our_rounds, Rival rival, Ours ours) {
  Passes rivals;
  Passes our;
  rivals.Run(examples, rival);
  our.Run(examples, ours);
  for ([[maybe_unused]] auto _ : state) {
    rivals.Run(examples, rival);
    for (int round = 0; round < our_rounds; ++round) our.Run(examples, ours);
  }
  state.counters["rival_us"] = rivals.MicrosecondsPerStep(examples);
  state.counters["ours_us"] = our.MicrosecondsPerStep(examples);
  state.counters["ours/rival"] = our.Seconds() / rivals.Seconds();
}

}  // namespace thresher::learners

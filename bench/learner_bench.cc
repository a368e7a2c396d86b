// What a step costs: every learner against a plain gather-and-update over the same indices, against the size
// of the model, and lazy against dense in the shape of Lipton & Elkan's Table 1.
//
// Ratios are taken within one run: both sides see the same examples in turn. A step is Score, then Learn.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <vector>

#include "learners/registry.h"

namespace thresher::learners {
namespace {

struct Shape {
  size_t dimension = 0;
  size_t features = 0;  // per example
};

// A message has about this many features; the model of a mailbox about this many rows.
constexpr Shape kMail = {.dimension = 1 << 20, .features = 2500};
constexpr Shape kMailInCache = {.dimension = 1 << 13, .features = 2500};
constexpr Shape kAbstracts = {.dimension = 260941, .features = 89};
constexpr size_t kExamples = 64;

// Distinct indices drawn with frequency falling like 1/rank, in random places of memory.
std::vector<uint64_t> SkewedIndices(Shape shape, std::mt19937_64& random) {
  std::uniform_real_distribution log_rank(0.0, std::log(static_cast<double>(shape.dimension)));
  std::vector<uint64_t> indices;
  while (indices.size() < shape.features) {
    while (indices.size() < shape.features) {
      const auto rank = static_cast<uint64_t>(std::exp(log_rank(random)));
      indices.push_back(rank * 0x9E3779B1U % shape.dimension);
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
};

std::vector<Example> MakeExamples(Shape shape) {
  std::mt19937_64 random(1);
  std::vector<Example> examples(kExamples);
  for (Example& example : examples) {
    example.ids = SkewedIndices(shape, random);
    example.values.assign(shape.features, 1 / std::sqrt(static_cast<float>(shape.features)));
    example.label = random() % 2 == 0 ? Label::kHam : Label::kSpam;
  }
  return examples;
}

double LogisticDerivative(double margin, Label label) {
  const auto y = static_cast<double>(label);
  return -y / (1 + std::exp(y * margin));
}

// Plain gradient descent on an array: the least that a step can cost.
class Plain {
 public:
  explicit Plain(size_t dimension) : weights_(dimension) {}

  void Step(const Example& example) {
    double margin = 0;
    for (size_t i = 0; i < example.ids.size(); ++i) {
      margin += weights_[example.ids[i]] * static_cast<double>(example.values[i]);
    }
    const double step = kRate * LogisticDerivative(margin, example.label);
    for (size_t i = 0; i < example.ids.size(); ++i) {
      weights_[example.ids[i]] -= step * static_cast<double>(example.values[i]);
    }
  }

 protected:
  static constexpr double kRate = 0.5;
  std::vector<double> weights_;
};

// The same with an elastic net on every coordinate at every step; prediction is sparse.
class Dense : public Plain {
 public:
  using Plain::Plain;

  void Step(const Example& example) {
    Plain::Step(example);
    for (double& w : weights_) w = std::copysign(std::max(kFactor * std::abs(w) - kPenalty, 0.0), w);
  }

 private:
  static constexpr double kPenalty = kRate * 1e-6;
  static constexpr double kFactor = 1 - kRate * 1e-6;
};

class Lazy {
 public:
  Lazy(std::string_view name, size_t dimension, std::span<const Example> examples)
      : learner_(MakeLearner(name, {{"min_gradient", "0"}}).value()),
        rows_(dimension * learner_->RowBytes() / sizeof(uint64_t)),
        globals_(learner_->GlobalsBytes() / sizeof(uint64_t)),
        pointers_(examples.size()) {
    learner_->InitGlobals(std::as_writable_bytes(std::span(globals_)));
    std::byte* const base = std::as_writable_bytes(std::span(rows_)).data();
    for (size_t e = 0; e < examples.size(); ++e) {
      for (const uint64_t id : examples[e].ids) pointers_[e].push_back(base + id * learner_->RowBytes());
    }
  }

  // Example number `which`, whose rows the constructor has looked up.
  void Step(const Example& example, size_t which) {
    const SparseVector x = {.ids = example.ids, .values = example.values};
    const std::span<std::byte* const> rows = pointers_[which];
    const std::span<const std::byte* const> readable(rows.data(), rows.size());
    const auto globals = std::as_writable_bytes(std::span(globals_));
    const double margin = learner_->Score(x, readable, globals);
    benchmark::DoNotOptimize(learner_->Learn(x, example.label, margin, rows, globals, nullptr));
  }

 private:
  std::unique_ptr<Learner> learner_;
  std::vector<uint64_t> rows_;
  std::vector<uint64_t> globals_;
  std::vector<std::vector<std::byte*>> pointers_;
};

// Of this thread's processor time, so that other work on the machine does not show.
double ThreadSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Body>
double Seconds(Body body) {
  const double start = ThreadSeconds();
  body();
  return ThreadSeconds() - start;
}

// Runs both over all examples, in turn; reports microseconds per step and their ratio. A rival that sweeps
// the cache is followed by several rounds of ours.
template <class Rival, class Ours>
void Compare(benchmark::State& state, int our_rounds, Rival rival, Ours ours) {
  double rival_seconds = 0;
  double our_seconds = 0;
  for ([[maybe_unused]] auto _ : state) {
    rival_seconds += Seconds(rival);
    our_seconds += Seconds([&] {
                     for (int round = 0; round < our_rounds; ++round) ours();
                   }) /
                   our_rounds;
  }
  const double steps = static_cast<double>(state.iterations()) * static_cast<double>(kExamples);
  state.counters["rival_us"] = 1e6 * rival_seconds / steps;
  state.counters["ours_us"] = 1e6 * our_seconds / steps;
  state.counters["ours/rival"] = our_seconds / rival_seconds;
}

void AgainstPlain(benchmark::State& state, std::string_view name, Shape shape) {
  const std::vector<Example> examples = MakeExamples(shape);
  Plain plain(shape.dimension);
  Lazy lazy(name, shape.dimension, examples);
  Compare(
      state, 1,
      [&] {
        for (const Example& example : examples) plain.Step(example);
      },
      [&] {
        for (size_t e = 0; e < kExamples; ++e) lazy.Step(examples[e], e);
      });
}

void AgainstDense(benchmark::State& state, std::string_view name) {
  const std::vector<Example> examples = MakeExamples(kAbstracts);
  Dense dense(kAbstracts.dimension);
  Lazy lazy(name, kAbstracts.dimension, examples);
  Compare(
      state, 16,
      [&] {
        for (const Example& example : examples) dense.Step(example);
      },
      [&] {
        for (size_t e = 0; e < kExamples; ++e) lazy.Step(examples[e], e);
      });
}

void RegisterAll() {
  for (const LearnerSpec& spec : AllLearners()) {
    const std::string name(spec.name);
    benchmark::RegisterBenchmark(("AgainstPlain/mail/" + name).c_str(), AgainstPlain, spec.name, kMail)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("AgainstPlain/mail_in_cache/" + name).c_str(), AgainstPlain, spec.name,
                                 kMailInCache)
        ->Unit(benchmark::kMillisecond);
    for (size_t bits = 14; bits <= 24; bits += 2) {
      const Shape shape = {.dimension = size_t{1} << bits, .features = 100};
      benchmark::RegisterBenchmark(("AgainstPlain/dimension_2^" + std::to_string(bits) + "/" + name).c_str(),
                                   AgainstPlain, spec.name, shape)
          ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark(("AgainstDense/abstracts/" + name).c_str(), AgainstDense, spec.name)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace thresher::learners

int main(int argc, char** argv) {
  thresher::learners::RegisterAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

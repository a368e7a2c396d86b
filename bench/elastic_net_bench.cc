// Table 1 of Lipton & Elkan: 260,941 features, of which an example has 88.54 on average. Compares a lazy step
// of SGD and FoBoS with elastic net with three others: a dense step, a dense step with a sparse prediction,
// and a plain step on the same indices without regularisation.
//
// The dense rivals are compiled and vectorised (the paper's are in Python). GB/s is what their pass over the
// weights reads and writes.
#include <string>

#include "bench/context.h"
#include "bench/learner_steps.h"

namespace thresher::learners {
namespace {

constexpr Shape kAbstracts = {.dimension = 260941, .features = 88.54};

struct SgdShrink {
  static constexpr double kFactor = 1 - 0.5 * 1e-6;
  static double Of(double size, double penalty) { return kFactor * size - penalty; }
};

struct FobosShrink {
  static constexpr double kDivisor = 1 / (1 + 0.5 * 1e-6);
  static double Of(double size, double penalty) { return (size - penalty) * kDivisor; }
};

template <class Shrink>
class Dense : public Plain {
 public:
  explicit Dense(size_t dimension) : Plain(dimension), x_(dimension) {}

  void StepWithSparsePrediction(const Example& example) {
    Plain::Step(example);
    Regularise();
  }

  // x is a dense array too, as in a program without sparse vectors.
  void StepWithDensePrediction(const Example& example) {
    for (size_t i = 0; i < example.ids.size(); ++i) {
      x_[example.ids[i]] = static_cast<double>(example.values[i]);
    }
    double sums[8] = {};
    for (size_t j = 0; j + 8 <= x_.size(); j += 8) {
      for (size_t lane = 0; lane < 8; ++lane) sums[lane] += weights_[j + lane] * x_[j + lane];
    }
    for (size_t j = x_.size() / 8 * 8; j < x_.size(); ++j) sums[0] += weights_[j] * x_[j];
    double margin = 0;
    for (const double sum : sums) margin += sum;
    Plain::Update(example, margin);
    Regularise();
    for (const uint64_t id : example.ids) x_[id] = 0;
  }

 private:
  void Regularise() {
    constexpr double kPenalty = kRate * 1e-6;
    for (double& w : weights_) w = std::copysign(std::max(Shrink::Of(std::abs(w), kPenalty), 0.0), w);
  }

  bench::HugeArray<double> x_;
};

constexpr int kOurRounds = 16;  // one dense step takes as long as hundreds of lazy ones

// `passes`: how often an array of the size of all weights is read or written. `paper`: ratio in Table 1.
void Report(benchmark::State& state, int passes, double paper) {
  const double bytes = passes * static_cast<double>(sizeof(double) * kAbstracts.dimension);
  state.counters["rival_GB/s"] = bytes / (1e3 * state.counters["rival_us"].value);
  state.counters["rival/ours"] = 1 / state.counters["ours/rival"].value;
  state.counters["in_paper"] = paper;
}

template <class Shrink>
void AgainstDense(benchmark::State& state, const std::string& name, double paper) {
  const std::vector<Example> examples = MakeExamples(kAbstracts);
  Dense<Shrink> dense(kAbstracts.dimension);
  Resident lazy(name, kAbstracts.dimension, examples);
  Compare(
      state, examples.size(), kOurRounds, [&](size_t e) { dense.StepWithDensePrediction(examples[e]); },
      [&](size_t e) { lazy.Step(examples[e], e); });
  Report(state, 4, paper);
}

template <class Shrink>
void AgainstSparsePrediction(benchmark::State& state, const std::string& name, double paper) {
  const std::vector<Example> examples = MakeExamples(kAbstracts);
  Dense<Shrink> dense(kAbstracts.dimension);
  Resident lazy(name, kAbstracts.dimension, examples);
  Compare(
      state, examples.size(), kOurRounds, [&](size_t e) { dense.StepWithSparsePrediction(examples[e]); },
      [&](size_t e) { lazy.Step(examples[e], e); });
  Report(state, 2, paper);
}

void AgainstPlain(benchmark::State& state, const std::string& name) {
  const std::vector<Example> examples = MakeExamples(kAbstracts);
  Plain plain(kAbstracts.dimension);
  Resident lazy(name, kAbstracts.dimension, examples);
  Compare(
      state, examples.size(), 1, [&](size_t e) { plain.Step(examples[e]); },
      [&](size_t e) { lazy.Step(examples[e], e); });
}

// Seconds per example in Table 1.
struct Paper {
  double lazy;
  double dense;
  double sparse_prediction;
};

template <class Shrink>
void Register(const std::string& name, Paper paper) {
  const auto add = [&](const std::string& title, auto function, auto... more) {
    benchmark::RegisterBenchmark((title + "/" + name).c_str(), function, name, more...)
        ->Unit(benchmark::kMillisecond);
  };
  add("AgainstDense", AgainstDense<Shrink>, paper.dense / paper.lazy);
  add("AgainstSparsePrediction", AgainstSparsePrediction<Shrink>, paper.sparse_prediction / paper.lazy);
  add("AgainstPlain", AgainstPlain);
}

void RegisterAll() {
  Register<SgdShrink>("lazy-sgd", {.lazy = .0102, .dense = 21.377, .sparse_prediction = 14.381});
  Register<FobosShrink>("lazy-fobos", {.lazy = .0120, .dense = 22.511, .sparse_prediction = 16.785});
}

}  // namespace
}  // namespace thresher::learners

int main(int argc, char** argv) {
  thresher::bench::DescribeAndRun(argc, argv, thresher::learners::RegisterAll);
}

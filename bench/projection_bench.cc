// Projection onto the ℓ1-ball after each sparse step, as in the online experiment of Duchi et al.: 1,946,684
// features of which 5 % are non-zero, z = 100; an example has up to 10,000 features (1,000 in the paper).
//
// Five methods to find the next θ, each on its own model, with the same steps:
//   dense      pivots over the whole vector, the linear-time method of the paper
//   nonzeros   pivots over the non-zero weights
//   runs       the sorted array of magnitude_runs.h
//   tree       magnitude_tree.h, the paper's algorithm
//   learner    what l1-ball does: runs or tree, whichever is cheaper
// All magnitudes are distinct, which is the worst case for runs and tree.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/timing.h"
#include "learners/magnitudes/ball_threshold.h"
#include "learners/magnitudes/magnitudes.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners {
namespace {

constexpr size_t kFeatures = 1'946'684;
constexpr size_t kNonzeros = kFeatures / 20;
constexpr double kRadius = 100;

struct Step {
  std::vector<uint32_t> features;
  std::vector<double> deltas;
};

// Half of the features of a step are non-zero at the start, the other half is drawn from all.
std::vector<Step> MakeSteps(size_t count, size_t touched, std::mt19937_64& random) {
  std::normal_distribution<double> delta(0, kRadius / kNonzeros);
  std::vector<Step> steps(count);
  for (Step& step : steps) {
    for (size_t i = 0; i < touched; ++i) {
      step.features.push_back(static_cast<uint32_t>(random() % (i % 2 == 0 ? kNonzeros : kFeatures)));
      step.deltas.push_back(delta(random));
    }
    std::ranges::sort(step.features);
    step.features.erase(std::unique(step.features.begin(), step.features.end()), step.features.end());
  }
  return steps;
}

// |w_j| + Θ with w_j's sign, as in l1_ball.cc; the first kNonzeros features are non-zero.
std::vector<double> FirstVector() {
  std::mt19937_64 random(2);
  std::exponential_distribution<double> exponential(kNonzeros / kRadius);
  std::vector<double> u(kFeatures);
  for (size_t j = 0; j < kNonzeros; ++j) u[j] = exponential(random);
  return u;
}

class Method {
 public:
  Method() : u_(FirstVector()) {}
  virtual ~Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  virtual void Take(const Step& step) {
    for (size_t i = 0; i < step.features.size(); ++i) {
      const uint32_t j = step.features[i];
      const double before = std::abs(u_[j]);
      u_[j] = InverseSoftThreshold(SoftThreshold(u_[j], shift_) + step.deltas[i], shift_);
      Moved(j, before, std::abs(u_[j]));
    }
    Project();
  }

  virtual size_t Nonzeros() const = 0;

 protected:
  virtual void Moved(uint32_t feature, double before, double now) = 0;
  virtual void Project() = 0;

  std::vector<double> u_;
  double shift_ = 0;
};

// Subtracts θ from every weight, so no shift is needed.
class Dense final : public Method {
 public:
  void Take(const Step& step) override {
    for (size_t i = 0; i < step.features.size(); ++i) u_[step.features[i]] += step.deltas[i];
    Project();
  }
  size_t Nonzeros() const override {
    return static_cast<size_t>(std::ranges::count_if(u_, [](double w) { return w != 0; }));
  }

 private:
  void Moved(uint32_t /*feature*/, double /*before*/, double /*now*/) override {}
  void Project() override {
    for (size_t j = 0; j < kFeatures; ++j) scratch_[j] = std::abs(u_[j]);
    const double theta = BallThreshold(scratch_, kRadius);
    if (theta == 0) return;
    for (double& w : u_) w = SoftThreshold(w, theta);
  }

  std::vector<double> scratch_ = std::vector<double>(kFeatures);
};

class NonzerosOnly final : public Method {
 public:
  NonzerosOnly() {
    for (uint32_t j = 0; j < kNonzeros; ++j) live_.push_back(j);
  }
  size_t Nonzeros() const override { return live_.size(); }

 private:
  void Moved(uint32_t feature, double before, double now) override {
    if (before <= shift_ && now > shift_) live_.push_back(feature);
  }
  void Project() override {
    scratch_.clear();
    for (const uint32_t j : live_) scratch_.push_back(std::abs(SoftThreshold(u_[j], shift_)));
    shift_ += BallThreshold(scratch_, kRadius);
    std::erase_if(live_, [this](uint32_t j) { return std::abs(u_[j]) <= shift_; });
  }

  std::vector<uint32_t> live_;
  std::vector<double> scratch_;
};

// Base of the methods that apply changes in the order of their arrival.
class InOrder : public Method {
 public:
  InOrder() {
    for (size_t j = 0; j < kNonzeros; ++j) changes_.push_back({.value = u_[j], .copies = 1});
    std::ranges::sort(changes_, std::greater(), &MagnitudeRun::value);
  }

 protected:
  void Moved(uint32_t /*feature*/, double before, double now) override {
    if (before > shift_) changes_.push_back({.value = before, .copies = -1});
    if (now > shift_) changes_.push_back({.value = now, .copies = 1});
  }

  std::vector<MagnitudeRun> changes_;
};

class Runs final : public InOrder {
 public:
  Runs() { Apply(); }
  size_t Nonzeros() const override { return runs_.count(); }

 private:
  void Apply() {
    std::ranges::sort(changes_, std::greater(), &MagnitudeRun::value);
    runs_.Apply(changes_);
    changes_.clear();
  }
  void Project() override {
    Apply();
    shift_ = runs_.Threshold(shift_, kRadius);
    runs_.DropUpTo(shift_);
  }

  MagnitudeRuns runs_;
};

class Tree final : public InOrder {
 public:
  Tree() { Apply(); }
  size_t Nonzeros() const override { return tree_.count(); }

 private:
  void Apply() {
    std::ranges::sort(changes_, std::greater(), &MagnitudeRun::value);
    tree_.Apply(changes_);
    changes_.clear();
  }
  void Project() override {
    Apply();
    shift_ = tree_.Threshold(shift_, kRadius);
    tree_.DropUpTo(shift_);
  }

  MagnitudeTree tree_;
};

class Learner final : public Method {
 public:
  Learner() {
    for (size_t j = 0; j < kNonzeros; ++j) all_.Add(u_[j]);
    all_.Build();
  }
  size_t Nonzeros() const override { return all_.count(); }

 private:
  void Moved(uint32_t /*feature*/, double before, double now) override {
    if (before > shift_) all_.Remove(before);
    if (now > shift_) all_.Add(now);
  }
  void Project() override {
    all_.Apply();
    shift_ = all_.Threshold(shift_, kRadius);
    all_.DropUpTo(shift_);
  }

  Magnitudes all_{/*is_tree=*/true};
};

// Microseconds per step of each method, and how many times faster `tree` and `learner` are than `dense`.
void Projection(benchmark::State& state) {
  constexpr size_t kSteps = 64;
  constexpr size_t kDenseSteps = 4;  // slow, so fewer steps are enough to measure it
  std::mt19937_64 random(1);
  const std::pair<const char*, std::unique_ptr<Method>> methods[] = {
      {"dense", std::make_unique<Dense>()},     {"nonzeros", std::make_unique<NonzerosOnly>()},
      {"runs", std::make_unique<Runs>()},       {"tree", std::make_unique<Tree>()},
      {"learner", std::make_unique<Learner>()},
  };
  double seconds[std::size(methods)] = {};
  for ([[maybe_unused]] auto _ : state) {
    const std::vector<Step> steps = MakeSteps(kSteps, static_cast<size_t>(state.range(0)), random);
    for (size_t m = 0; m < std::size(methods); ++m) {
      const size_t count = m == 0 ? kDenseSteps : kSteps;
      seconds[m] += bench::Seconds([&] {
                      for (size_t i = 0; i < count; ++i) methods[m].second->Take(steps[i]);
                    }) /
                    static_cast<double>(count);
    }
  }
  const auto iterations = static_cast<double>(state.iterations());
  for (size_t m = 0; m < std::size(methods); ++m) {
    state.counters[std::string(methods[m].first) + "_us"] = 1e6 * seconds[m] / iterations;
  }
  state.counters["nnz"] = static_cast<double>(methods[3].second->Nonzeros());
  state.counters["dense/tree"] = seconds[0] / seconds[3];
  state.counters["dense/learner"] = seconds[0] / seconds[4];
}
BENCHMARK(Projection)
    ->ArgName("touched")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thresher::learners

BENCHMARK_MAIN();

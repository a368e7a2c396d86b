#include "reproduction/ball_rivals.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <span>

#include "learners/magnitudes/ball_threshold.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::reproduction {
namespace {

double Margin(const DataSet::Line& x, std::span<const double> weights) {
  double margin = 0;
  for (size_t k = 0; k < x.indices.size(); ++k) {
    margin += weights[x.indices[k]] * static_cast<double>(x.values[k]);
  }
  return margin;
}

class Iterate {
 public:
  virtual ~Iterate() = default;
  virtual void Step(std::span<const double> gradient, double rate) = 0;
  const std::vector<double>& weights() const { return weights_; }

 protected:
  explicit Iterate(size_t width) : weights_(width) {}
  std::vector<double> weights_;
};

class Projected final : public Iterate {
 public:
  Projected(size_t width, double radius) : Iterate(width), radius_(radius), magnitudes_(width) {}

  void Step(std::span<const double> gradient, double rate) override {
    for (size_t j = 0; j < weights_.size(); ++j) {
      weights_[j] -= rate * gradient[j];
      magnitudes_[j] = std::abs(weights_[j]);
    }
    const double threshold = learners::BallThresholdByPivots(magnitudes_, radius_);
    for (double& weight : weights_) weight = learners::SoftThreshold(weight, threshold);
  }

 private:
  double radius_;
  std::vector<double> magnitudes_;
};

// w = z sinh r/Σ cosh r, r ← r − η g: a positive and a negative weight for each feature, all of them with the
// sum z.
class Exponentiated final : public Iterate {
 public:
  Exponentiated(size_t width, double radius) : Iterate(width), radius_(radius), ratios_(width) {}

  void Step(std::span<const double> gradient, double rate) override {
    double largest = 0;
    for (size_t j = 0; j < ratios_.size(); ++j) {
      ratios_[j] -= rate * gradient[j];
      largest = std::max(largest, std::abs(ratios_[j]));
    }
    double sum = 0;
    for (size_t j = 0; j < ratios_.size(); ++j) {
      const double up = std::exp(ratios_[j] - largest);
      const double down = std::exp(-ratios_[j] - largest);
      weights_[j] = up - down;
      sum += up + down;
    }
    for (double& weight : weights_) weight *= radius_ / sum;
  }

 private:
  double radius_;
  std::vector<double> ratios_;
};

}  // namespace

double MeanLoss(const BallProblem& problem, const std::vector<double>& weights) {
  double sum = 0;
  for (size_t i = 0; i < problem.data.size(); ++i) {
    sum += problem.loss.Value(Margin(problem.data[i], weights), static_cast<double>(problem.data.targets[i]));
  }
  return sum / static_cast<double>(problem.data.size());
}

Trace RunBall(const BallProblem& problem, const BallMethod& method, const learners::Schedule& schedule,
              const RunLimit& limit) {
  const DataSet& data = problem.data;
  std::unique_ptr<Iterate> iterate;
  if (method.kind == BallMethod::Kind::kProjected) {
    iterate = std::make_unique<Projected>(data.width, problem.radius);
  } else {
    iterate = std::make_unique<Exponentiated>(data.width, problem.radius);
  }
  std::mt19937_64 random(1);
  std::uniform_int_distribution<size_t> draw(0, data.size() - 1);
  std::vector<size_t> which(method.batch == 0 ? data.size() : method.batch);
  std::iota(which.begin(), which.end(), size_t{0});
  std::vector<double> gradient(data.width);
  std::vector<uint64_t> touched_at(data.width, UINT64_MAX);  // the latest step whose gradient has the feature
  Trace trace;
  double accesses = 0;
  double next_point = 0;
  for (uint64_t t = 0;; ++t) {
    const bool is_last = accesses >= limit.accesses;
    if (accesses >= next_point || is_last) {
      const auto zeros = std::ranges::count(iterate->weights(), 0.0);
      trace.objective.Add(accesses, MeanLoss(problem, iterate->weights()));
      trace.nonzeros.Add(accesses, static_cast<double>(data.width) - static_cast<double>(zeros));
      next_point = accesses + limit.accesses / static_cast<double>(limit.points);
    }
    if (is_last) break;
    std::ranges::fill(gradient, 0);
    if (method.batch != 0) std::ranges::generate(which, [&] { return draw(random); });
    for (const size_t i : which) {
      const DataSet::Line x = data[i];
      const double slope =
          problem.loss.Derivative(Margin(x, iterate->weights()), static_cast<double>(data.targets[i]));
      for (size_t k = 0; k < x.indices.size(); ++k) {
        gradient[x.indices[k]] +=
            slope * static_cast<double>(x.values[k]) / static_cast<double>(which.size());
        accesses += touched_at[x.indices[k]] == t ? 0 : 1;
        touched_at[x.indices[k]] = t;
      }
      accesses += 2 * static_cast<double>(x.indices.size());
    }
    iterate->Step(gradient, schedule.Rate(t));
  }
  trace.weights = iterate->weights();
  return trace;
}

}  // namespace thresher::reproduction

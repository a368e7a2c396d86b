#include "reproduction/ball_rivals.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <random>

#include "learners/magnitudes/ball_threshold.h"
#include "learners/magnitudes/magnitude_tree.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::reproduction {
namespace {

// Of a batch: all features, and which of them its examples have.
struct BatchGradient {
  std::vector<double> values;
  std::vector<uint32_t> features;
};

class Iterate {
 public:
  explicit Iterate(size_t width) : u_(width) {}
  virtual ~Iterate() = default;
  virtual void Step(const BatchGradient& gradient, double rate) = 0;
  double Weight(size_t j) const { return learners::SoftThreshold(u_[j], shift_); }

 protected:
  std::vector<double> u_;  // |w| + shift, with the sign of w; weights of 0 may have less
  double shift_ = 0;       // other than 0 in the tree only
};

class Projected final : public Iterate {
 public:
  Projected(size_t width, double radius) : Iterate(width), radius_(radius), magnitudes_(width) {}

  void Step(const BatchGradient& gradient, double rate) override {
    for (size_t j = 0; j < u_.size(); ++j) {
      u_[j] -= rate * gradient.values[j];
      magnitudes_[j] = std::abs(u_[j]);
    }
    const double threshold = learners::BallThreshold(magnitudes_, radius_);
    for (double& weight : u_) weight = learners::SoftThreshold(weight, threshold);
  }

 private:
  double radius_;
  std::vector<double> magnitudes_;
};

// The tree has the |u| of all weights other than 0.
class ProjectedInTree final : public Iterate {
 public:
  ProjectedInTree(size_t width, double radius) : Iterate(width), radius_(radius) {}

  void Step(const BatchGradient& gradient, double rate) override {
    changes_.clear();
    for (const uint32_t j : gradient.features) {
      Change(u_[j], -1);
      u_[j] = learners::InverseSoftThreshold(Weight(j) - rate * gradient.values[j], shift_);
      Change(u_[j], 1);
    }
    Combine(&changes_);
    tree_.Apply(changes_);
    shift_ = tree_.Threshold(shift_, radius_);
    tree_.DropUpTo(shift_);
    // Else rounding of the shift would be more than 1e-13 of the radius, in the sum of all weights.
    if (static_cast<double>(tree_.count()) * shift_ > 256 * radius_) Rebase();
  }

 private:
  void Change(double u, int32_t copies) {
    if (std::abs(u) > shift_) changes_.push_back({.value = std::abs(u), .copies = copies});
  }
  // Largest first, each value once.
  static void Combine(std::vector<learners::MagnitudeRun>* runs) {
    std::ranges::sort(*runs, std::ranges::greater(), &learners::MagnitudeRun::value);
    size_t kept = 0;
    for (const learners::MagnitudeRun& run : *runs) {
      if (kept > 0 && (*runs)[kept - 1].value == run.value) {
        (*runs)[kept - 1].copies += run.copies;
      } else {
        (*runs)[kept++] = run;
      }
    }
    runs->resize(kept);
  }
  void Rebase() {
    for (double& u : u_) u = learners::SoftThreshold(u, shift_);
    shift_ = 0;
    changes_.clear();
    for (const double u : u_) Change(u, 1);
    Combine(&changes_);
    tree_.Assign(changes_);
  }

  double radius_;
  learners::MagnitudeTree tree_;
  std::vector<learners::MagnitudeRun> changes_;
};

// w = z sinh r/Σ cosh r, r ← r − η g: a positive and a negative weight for each feature, all of them with the
// sum z.
class Exponentiated final : public Iterate {
 public:
  Exponentiated(size_t width, double radius) : Iterate(width), radius_(radius), ratios_(width) {}

  void Step(const BatchGradient& gradient, double rate) override {
    double largest = 0;
    for (size_t j = 0; j < ratios_.size(); ++j) {
      ratios_[j] -= rate * gradient.values[j];
      largest = std::max(largest, std::abs(ratios_[j]));
    }
    double sum = 0;
    for (size_t j = 0; j < ratios_.size(); ++j) {
      const double up = std::exp(ratios_[j] - largest);
      const double down = std::exp(-ratios_[j] - largest);
      u_[j] = up - down;
      sum += up + down;
    }
    for (double& weight : u_) weight *= radius_ / sum;
  }

 private:
  double radius_;
  std::vector<double> ratios_;
};

std::unique_ptr<Iterate> MakeIterate(BallMethod::Kind kind, size_t width, double radius) {
  if (kind == BallMethod::Kind::kProjected) return std::make_unique<Projected>(width, radius);
  if (kind == BallMethod::Kind::kProjectedInTree) return std::make_unique<ProjectedInTree>(width, radius);
  return std::make_unique<Exponentiated>(width, radius);
}

// Sums up the gradients of examples, and counts what is read.
class GradientSum {
 public:
  explicit GradientSum(const BallProblem& problem)
      : problem_(problem), gradient_{.values = std::vector<double>(problem.data.width), .features = {}} {}

  // The mean over these examples; valid until the next call.
  const BatchGradient& At(const Iterate& iterate, const std::vector<size_t>& examples) {
    for (const uint32_t j : gradient_.features) gradient_.values[j] = 0;
    gradient_.features.clear();
    is_there_.resize(gradient_.values.size());
    for (const size_t i : examples) Add(iterate, i, 1 / static_cast<double>(examples.size()));
    for (const uint32_t j : gradient_.features) is_there_[j] = 0;
    return gradient_;
  }
  double accesses() const { return accesses_; }

 private:
  void Add(const Iterate& iterate, size_t example, double share) {
    const DataSet::Line x = problem_.data[example];
    double margin = 0;
    for (size_t k = 0; k < x.indices.size(); ++k) {
      margin += iterate.Weight(x.indices[k]) * static_cast<double>(x.values[k]);
    }
    const double slope =
        problem_.loss.Derivative(margin, static_cast<double>(problem_.data.targets[example]));
    for (size_t k = 0; k < x.indices.size(); ++k) {
      const uint32_t j = x.indices[k];
      gradient_.values[j] += share * slope * static_cast<double>(x.values[k]);
      if (is_there_[j] != 0) continue;
      is_there_[j] = 1;
      gradient_.features.push_back(j);
      accesses_ += 1;
    }
    accesses_ += 2 * static_cast<double>(x.indices.size());
  }

  const BallProblem& problem_;
  BatchGradient gradient_;
  std::vector<char> is_there_;  // whether a feature is among gradient_.features
  double accesses_ = 0;
};

void Record(const BallProblem& problem, const Iterate& iterate, double accesses, Trace* trace) {
  trace->weights.resize(problem.data.width);
  for (size_t j = 0; j < trace->weights.size(); ++j) trace->weights[j] = iterate.Weight(j);
  const auto zeros = std::ranges::count(trace->weights, 0.0);
  trace->objective.Add(accesses, MeanLoss(problem, trace->weights));
  trace->nonzeros.Add(accesses, static_cast<double>(problem.data.width) - static_cast<double>(zeros));
}

}  // namespace

double MeanLoss(const BallProblem& problem, const std::vector<double>& weights) {
  double sum = 0;
  for (size_t i = 0; i < problem.data.size(); ++i) {
    const DataSet::Line x = problem.data[i];
    double margin = 0;
    for (size_t k = 0; k < x.indices.size(); ++k) {
      margin += weights[x.indices[k]] * static_cast<double>(x.values[k]);
    }
    sum += problem.loss.Value(margin, static_cast<double>(problem.data.targets[i]));
  }
  return sum / static_cast<double>(problem.data.size());
}

Trace RunBall(const BallProblem& problem, const BallMethod& method, const learners::Schedule& schedule,
              const RunLimit& limit) {
  const std::unique_ptr<Iterate> iterate = MakeIterate(method.kind, problem.data.width, problem.radius);
  std::mt19937_64 random(1);
  std::uniform_int_distribution<size_t> draw(0, problem.data.size() - 1);
  std::vector<size_t> examples(method.batch == 0 ? problem.data.size() : method.batch);
  std::iota(examples.begin(), examples.end(), size_t{0});
  GradientSum sum(problem);
  Trace trace;
  RecordClock clock(limit);
  for (uint64_t t = 0;; ++t) {
    const bool is_last = sum.accesses() >= limit.accesses;
    if (clock.IsDue(sum.accesses()) || is_last) Record(problem, *iterate, sum.accesses(), &trace);
    if (is_last) return trace;
    if (method.batch != 0) std::ranges::generate(examples, [&] { return draw(random); });
    iterate->Step(sum.At(*iterate, examples), schedule.Rate(t));
  }
}

}  // namespace thresher::reproduction

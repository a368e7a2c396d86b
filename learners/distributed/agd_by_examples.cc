// Accelerated gradient descent with the examples divided among processes: batch/agd.cc, its sums over
// examples being sums over parts. An epoch sends the gradient, of all features, and the objective at each
// trial of a curvature. Each process has all weights; the margins of an example are with its part.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "learners/batch/accelerated_gradient.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/distributed/solver.h"
#include "learners/distributed/tree_sum.h"
#include "learners/options.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::distributed {
namespace {

class AgdByExamplesSolver final : public Solver {
 public:
  AgdByExamplesSolver(const Share& share, const OptionValues& complete)
      : share_(share),
        objective_(batch::ReadElasticNetObjective(complete)),
        weights_(share.features),
        ahead_(share.features),
        next_(share.features),
        gradient_(share.features),
        gradients_(share.group, share.parts, share.features),
        figures_(share.group, share.parts, 1) {
    for (const batch::Examples& part : share.own) {
      for (auto* margins : {&margins_, &margins_ahead_, &next_margins_})
        margins->emplace_back(part.rows.size());
    }
    const double squares = SumOver([&](size_t k) {
      double sum = 0;
      for (size_t i = 0; i < share_.own[k].rows.size(); ++i) sum += SquaredNorm(share_.own[k].rows[i]);
      return sum;
    });
    curvature_ = objective_.l2 + objective_.loss.Smoothness() * squares / Count() * batch::kFirstCurvature;
  }

  void Step() override {
    ComputeGradient();
    const double at_ahead = Smooth(ahead_, margins_ahead_);
    while (!TryStep(at_ahead)) curvature_ *= 2;
    ++tally_.epochs;
    const double root = std::sqrt(objective_.l2);
    const double momentum = (std::sqrt(curvature_) - root) / (std::sqrt(curvature_) + root);
    batch::Extrapolate(momentum, next_, weights_, ahead_);
    for (size_t k = 0; k < share_.own.size(); ++k)
      batch::Extrapolate(momentum, next_margins_[k], margins_[k], margins_ahead_[k]);
    weights_.swap(next_);
    margins_.swap(next_margins_);
  }

  // The bound of batch/elastic_net_objective.h.
  batch::Progress Report() override {
    batch::Progress progress = tally_.Begun(share_.entries);
    progress.primal =
        SumOver([&](size_t k) { return LossOf(k, margins_[k]); }) / Count() + objective_.Penalty(weights_);
    SumSlopes(margins_);  // −c
    double squares = 0;
    for (const double slope : gradient_) {
      const double beyond = SoftThreshold(slope, objective_.l1);
      squares += beyond * beyond;
    }
    const double dual = SumOver([&](size_t k) {
      const batch::Examples& part = share_.own[k];
      double sum = 0;
      for (size_t i = 0; i < part.rows.size(); ++i) {
        const double y = part.Target(i);
        sum += objective_.loss.DualValue(-objective_.loss.Derivative(margins_[k][i], y), y);
      }
      return sum;
    });
    progress.gap = bound_.GapOf(progress.primal, dual / Count() - squares / (2 * objective_.l2));
    progress.nonzeros = batch::CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override { return weights_; }

  std::vector<std::span<double>> SharedMemory() override {
    return {weights_, ahead_, {&curvature_, 1}, bound_.AsMemory(), tally_.AsMemory()};
  }
  std::vector<std::span<double>> PartMemory(size_t own_part) override {
    return {margins_[own_part], margins_ahead_[own_part]};
  }

 private:
  using Margins = std::vector<std::vector<double>>;  // of each own part

  double Count() const { return static_cast<double>(share_.examples); }

  template <class OfPart>
  double SumOver(const OfPart& of_part) {
    std::array<double, 1> sum = {};
    for (size_t k = 0; k < share_.own.size(); ++k) {
      sum[0] = of_part(k);
      figures_.Add(sum);
    }
    figures_.Finish(sum);
    return sum[0];
  }

  double LossOf(size_t k, const std::vector<double>& margins) const {
    double sum = 0;
    for (size_t i = 0; i < margins.size(); ++i)
      sum += objective_.loss.Value(margins[i], share_.own[k].Target(i));
    return sum;
  }

  // (1/n) Σ φ_i'(a_i) x_i, in gradient_.
  void SumSlopes(const Margins& margins) {
    for (size_t k = 0; k < share_.own.size(); ++k) {
      const batch::Examples& part = share_.own[k];
      std::ranges::fill(gradient_, 0);
      for (size_t i = 0; i < part.rows.size(); ++i) {
        const double slope = objective_.loss.Derivative(margins[k][i], part.Target(i));
        if (slope != 0) AddTo(part.rows[i], slope / Count(), gradient_);
      }
      gradients_.Add(gradient_);
    }
    gradients_.Finish(gradient_);
  }

  void ComputeGradient() {
    SumSlopes(margins_ahead_);
    for (size_t j = 0; j < gradient_.size(); ++j) gradient_[j] += objective_.l2 * ahead_[j];
    tally_.Count(share_.entries);
  }

  double Smooth(std::span<const double> weights, const Margins& margins) {
    double squares = 0;
    for (const double w : weights) squares += w * w;
    return SumOver([&](size_t k) { return LossOf(k, margins[k]); }) / Count() + objective_.l2 / 2 * squares;
  }

  // Computes next_ and next_margins_; returns whether the curvature was large enough.
  bool TryStep(double at_ahead) {
    const batch::GradientStep step =
        batch::TakeGradientStep(ahead_, gradient_, curvature_, objective_.l1, next_);
    for (size_t k = 0; k < share_.own.size(); ++k)
      ComputeMargins(share_.own[k].rows, next_, next_margins_[k]);
    tally_.Count(share_.entries);
    return step.Holds(at_ahead, Smooth(next_, next_margins_), curvature_);
  }

  Share share_;
  batch::ElasticNetObjective objective_;
  std::vector<double> weights_;
  std::vector<double> ahead_;  // u
  std::vector<double> next_;
  std::vector<double> gradient_;
  Margins margins_;
  Margins margins_ahead_;
  Margins next_margins_;
  double curvature_ = 0;  // L
  TreeSum gradients_;
  TreeSum figures_;
  batch::BestBound bound_;
  batch::Tally tally_;
};

constexpr std::array kAgdByExamplesOptions = {
    batch::kSmoothLossOption,
    batch::kGammaOption,
    batch::BatchPenaltyOption("l1", "0", batch::kL1Help),
    batch::BatchPenaltyOption("l2", "0.0001", batch::kL2Help, false),
};

}  // namespace

SolverSpec AgdByExamples() {
  return {.name = "agd",
          .summary = "accelerated gradient descent, examples divided among processes",
          .by = Share::By::kExamples,
          .options = kAgdByExamplesOptions,
          .make = [](const Share& share, const OptionValues& complete, uint64_t /*seed*/)
              -> std::unique_ptr<Solver> { return std::make_unique<AgdByExamplesSolver>(share, complete); }};
}

}  // namespace thresher::learners::distributed

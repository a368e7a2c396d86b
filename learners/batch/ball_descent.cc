#include "learners/batch/ball_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "learners/magnitudes/ball_threshold.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::batch {
namespace {

class BallDescent final : public Solver {
 public:
  BallDescent(const Examples& examples, const OptionValues& complete, std::unique_ptr<RowLoss> loss)
      : examples_(examples),
        loss_(std::move(loss)),
        outputs_(loss_->Outputs()),
        radius_(NumberOption(complete, "radius")),
        first_rate_(NumberOption(complete, "learning_rate")),
        searches_(WordOption(complete, "step") == "line-search"),
        rate_(first_rate_),
        weights_(examples.rows.width * outputs_),
        next_(weights_.size()),
        gradient_(weights_.size()),
        magnitudes_(examples.rows.width),
        margins_(outputs_) {}

  void Step() override {
    const double before = Evaluate();
    tally_.Count(2 * examples_.rows.entries());
    if (!searches_) {
      rate_ = first_rate_ / std::sqrt(tally_.epochs + 1);
    } else if (const double steepest = Steepest(); steepest > 0) {
      rate_ = std::min(2 * rate_, kLongest * radius_ / steepest);
    }
    while (!TryStep(before)) rate_ /= 2;
    weights_.swap(next_);
    ++tally_.epochs;
  }

  Progress Report() override {
    Progress progress = tally_.Begun(examples_.rows.entries());
    progress.primal = Evaluate();
    double gap = 0;
    for (size_t output = 0; output < outputs_; ++output) {
      double steepest = 0;
      for (size_t at = output; at < weights_.size(); at += outputs_) {
        gap += gradient_[at] * weights_[at];
        steepest = std::max(steepest, std::abs(gradient_[at]));
      }
      gap += radius_ * steepest;
    }
    progress.gap = bound_.GapOf(progress.primal, progress.primal - gap);
    progress.nonzeros = CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override { return weights_; }
  std::vector<std::span<double>> Memory() override {
    return {weights_, {&rate_, 1}, bound_.AsMemory(), tally_.AsMemory()};
  }

 private:
  // In radii. A longer step mostly ends at the same point, and its projection loses more digits.
  static constexpr double kLongest = 0x1p16;

  double Steepest() const {
    double steepest = 0;
    for (const double slope : gradient_) steepest = std::max(steepest, std::abs(slope));
    return steepest;
  }

  // Computes margins_.
  void MarginsOf(const SparseLines::Line& x, std::span<const double> weights) {
    std::ranges::fill(margins_, 0.0);
    for (size_t k = 0; k < x.size(); ++k) {
      const double* const at = weights.data() + x.indices[k] * outputs_;
      for (size_t c = 0; c < outputs_; ++c) margins_[c] += at[c] * static_cast<double>(x.values[k]);
    }
  }

  double Value(std::span<const double> weights) {
    double sum = 0;
    for (size_t i = 0; i < examples_.rows.size(); ++i) {
      MarginsOf(examples_.rows[i], weights);
      sum += loss_->Value(margins_, examples_.Target(i));
    }
    return sum / static_cast<double>(examples_.rows.size());
  }

  // Returns f(w) and computes its gradient into gradient_.
  double Evaluate() {
    const auto n = static_cast<double>(examples_.rows.size());
    std::ranges::fill(gradient_, 0.0);
    double sum = 0;
    for (size_t i = 0; i < examples_.rows.size(); ++i) {
      const SparseLines::Line x = examples_.rows[i];
      MarginsOf(x, weights_);
      sum += loss_->Value(margins_, examples_.Target(i));
      loss_->Differentiate(margins_, examples_.Target(i));
      for (size_t k = 0; k < x.size(); ++k) {
        double* const at = gradient_.data() + x.indices[k] * outputs_;
        for (size_t c = 0; c < outputs_; ++c) at[c] += margins_[c] * static_cast<double>(x.values[k]) / n;
      }
    }
    return sum / n;
  }

  // θ is never below the largest magnitude minus the radius. What is left after that is projected: where a
  // step is long against the radius, magnitudes themselves have not the digits for it.
  void Project() {
    for (size_t output = 0; output < outputs_; ++output) {
      double largest = 0;
      for (size_t at = output; at < next_.size(); at += outputs_)
        largest = std::max(largest, std::abs(next_[at]));
      const double least = std::max(0.0, largest - radius_);
      for (size_t j = 0; j < magnitudes_.size(); ++j) {
        double& weight = next_[j * outputs_ + output];
        weight = SoftThreshold(weight, least);
        magnitudes_[j] = std::abs(weight);
      }
      const double rest = BallThreshold(magnitudes_, radius_);
      for (size_t at = output; at < next_.size(); at += outputs_) next_[at] = SoftThreshold(next_[at], rest);
    }
  }

  // Computes next_; returns whether the step was short enough.
  bool TryStep(double before) {
    for (size_t at = 0; at < next_.size(); ++at) next_[at] = weights_[at] - rate_ * gradient_[at];
    Project();
    if (!searches_) return true;
    double slope = 0;
    double squares = 0;
    for (size_t at = 0; at < next_.size(); ++at) {
      const double moved = next_[at] - weights_[at];
      slope += gradient_[at] * moved;
      squares += moved * moved;
    }
    tally_.Count(examples_.rows.entries());
    const double rounding = 1e-14 * (1 + std::abs(before));
    return squares == 0 || !(Value(next_) > before + slope + squares / (2 * rate_) + rounding);
  }

  Examples examples_;
  std::unique_ptr<RowLoss> loss_;
  size_t outputs_;
  double radius_;
  double first_rate_;
  bool searches_;
  double rate_;
  std::vector<double> weights_;
  std::vector<double> next_;
  std::vector<double> gradient_;
  std::vector<double> magnitudes_;
  std::vector<double> margins_;
  BestBound bound_;
  Tally tally_;
};

}  // namespace

std::unique_ptr<Solver> MakeBallDescent(const Examples& examples, const OptionValues& complete,
                                        std::unique_ptr<RowLoss> loss) {
  return std::make_unique<BallDescent>(examples, complete, std::move(loss));
}

}  // namespace thresher::learners::batch

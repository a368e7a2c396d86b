// Multiclass Prox-SDCA: Shalev-Shwartz & Zhang, "Proximal Stochastic Dual Coordinate Ascent"
// (2012), Section 6.5, structured output.
//
//   min (1/n) Σ φ_i + (λ2/2)‖W‖² + λ1‖W‖₁,   φ_i = max_c (δ_c + a_c − a_y),  a_c = ⟨w_c,x_i⟩,  δ_c = the cost
//   of c
// The dual has a distribution β_i over classes for each example, at first all on the example's class y.
//   V = (1/(λ2 n)) Σ (e_y − β_i) ⊗ x_i,  W = soft(V, λ1/λ2),  D = (1/n) Σ ⟨β_i, δ⟩ − (λ2/2)‖W‖²
// D ≤ P, as ⟨β,δ + a⟩ − a_y ≤ φ_i for any β, and by Fenchel–Young for the rest. Each step is exact:
//   β_i ← argmax ⟨β, δ + a⟩ − (q/2)‖β − β_i‖² = Π(β_i + (δ + a)/q),   q = ‖x_i‖²/(λ2 n)
// with Π the projection onto the distributions. α_i = β_i − e_y is kept instead of β_i, so that in a long
// row, where β_y is nearly 1 and q is large, no small step is lost beside it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/solver_specs.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kMulticlassSdcaName = "multiclass-sdca";

class MulticlassSdcaSolver final : public Solver {
 public:
  MulticlassSdcaSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : examples_(examples),
        l1_(NumberOption(complete, "l1")),
        l2_(NumberOption(complete, "l2")),
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        classes_(examples.classes),
        per_unit_(1 / (l2_ * static_cast<double>(examples.rows.size()))),
        alpha_(examples.rows.size() * classes_),
        v_(size_t{examples.rows.width} * classes_),
        weights_(v_.size()),
        costs_(classes_),
        projected_(classes_),
        descending_(classes_) {}

  void Step() override {
    for (const uint32_t i : EpochOrder(order_, examples_.rows.size(), seed_, tally_.epochs)) Visit(i);
    ++tally_.epochs;
  }

  Progress Report() override {
    Progress progress = tally_.Begun(examples_.rows.entries());
    double losses = 0;
    double dual = 0;
    for (size_t i = 0; i < examples_.rows.size(); ++i) {
      ComputeCosts(i);
      losses += *std::ranges::max_element(costs_) - costs_[ClassOf(i)];
      dual += examples_.Cost(ClassOf(i), ClassOf(i));
      for (size_t c = 0; c < classes_; ++c) dual += alpha_[i * classes_ + c] * examples_.Cost(ClassOf(i), c);
    }
    double squares = 0;
    double magnitudes = 0;
    for (const double w : Weights()) {
      squares += w * w;
      magnitudes += std::abs(w);
    }
    const auto n = static_cast<double>(examples_.rows.size());
    progress.primal = losses / n + l2_ / 2 * squares + l1_ * magnitudes;
    progress.gap = progress.primal - (dual / n - l2_ / 2 * squares);
    progress.nonzeros = CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override {
    std::ranges::transform(v_, weights_.begin(), [this](double v) { return SoftThreshold(v, l1_ / l2_); });
    return weights_;
  }
  std::vector<std::span<double>> Memory() override { return {alpha_, v_, tally_.AsMemory()}; }

 private:
  size_t ClassOf(size_t i) const { return static_cast<size_t>(examples_.targets[i]); }

  // Sets costs_ to δ + a.
  void ComputeCosts(size_t i) {
    for (size_t c = 0; c < classes_; ++c) costs_[c] = examples_.Cost(ClassOf(i), c);
    const SparseLines::Line x = examples_.rows[i];
    const double threshold = l1_ / l2_;
    for (size_t k = 0; k < x.size(); ++k) {
      const double* const at = v_.data() + x.indices[k] * classes_;
      for (size_t c = 0; c < classes_; ++c) {
        costs_[c] += SoftThreshold(at[c], threshold) * static_cast<double>(x.values[k]);
      }
    }
  }

  void Visit(uint32_t i) {
    const SparseLines::Line x = examples_.rows[i];
    const double q = SquaredNorm(x) * per_unit_;
    ComputeCosts(i);
    tally_.Count(x.size());
    double* const alpha = alpha_.data() + i * classes_;
    const size_t y = ClassOf(i);
    if (q == 0) {  // an empty row: all margins are 0, so the maximum is that of the costs
      std::fill(alpha, alpha + classes_, 0.0);
      alpha[y] = -1;
      alpha[std::ranges::max_element(costs_) - costs_.begin()] += 1;
      return;
    }
    // Π(β) is the same for all β + constant. Less the largest cost, no quotient drowns the α of its class,
    // and the small q of a short row makes the others −∞ at worst.
    const double largest = *std::ranges::max_element(costs_);
    for (size_t c = 0; c < classes_; ++c) projected_[c] = alpha[c] + (costs_[c] - largest) / q;
    const double threshold = Threshold(y);
    bool moved = false;
    for (size_t c = 0; c < classes_; ++c) {
      const double next = std::max(projected_[c] - threshold, c == y ? -1.0 : 0.0);
      projected_[c] = (alpha[c] - next) * per_unit_;  // from here on, the change of v
      moved = moved || projected_[c] != 0;
      alpha[c] = next;
    }
    if (moved) Move(x);
  }

  // θ with max(projected_y − θ, −1) + Σ_(c ≠ y) max(projected_c − θ, 0) = 0.
  double Threshold(size_t y) {
    descending_ = projected_;
    std::swap(descending_[y], descending_.back());
    descending_.pop_back();
    std::ranges::sort(descending_, std::greater());
    const double of_y = projected_[y];
    const double with_y = MeanAbove(of_y, 1);
    return of_y - with_y >= -1 ? with_y : MeanAbove(-1, 0);
  }

  // θ = (sum + Σ of the largest of descending_)/(count + their number), of those above it.
  double MeanAbove(double sum, size_t count) const {
    double threshold = count == 0 ? -std::numeric_limits<double>::infinity() : sum;
    for (const double each : descending_) {
      if (each <= threshold) break;
      sum += each;
      ++count;
      threshold = sum / static_cast<double>(count);
    }
    return threshold;
  }

  void Move(const SparseLines::Line& x) {
    for (size_t k = 0; k < x.size(); ++k) {
      double* const at = v_.data() + x.indices[k] * classes_;
      for (size_t c = 0; c < classes_; ++c) at[c] += projected_[c] * static_cast<double>(x.values[k]);
    }
    tally_.Count(x.size());
  }

  Examples examples_;
  double l1_;
  double l2_;
  DrawOrder order_;
  uint64_t seed_;
  size_t classes_;
  double per_unit_;            // 1/(λn)
  std::vector<double> alpha_;  // for each example, all classes
  std::vector<double> v_;      // for each feature, all classes
  std::vector<double> weights_;
  std::vector<double> costs_;
  std::vector<double> projected_;
  std::vector<double> descending_;
  Tally tally_;
};

constexpr std::array kMulticlassSdcaOptions = {
    BatchPenaltyOption("l1", "0", kL1Help),
    BatchPenaltyOption("l2", "0.0001", kL2Help, false),
    kDrawOrderOption,
};

std::unique_ptr<Solver> MakeMulticlassSdca(const Examples& examples, const OptionValues& complete,
                                           uint64_t seed, const Parallel& /*parallel*/) {
  return std::make_unique<MulticlassSdcaSolver>(examples, complete, seed);
}

}  // namespace

SolverSpec MulticlassSdca() {
  return {.name = kMulticlassSdcaName,
          .summary = "multiclass dual coordinate ascent with 0/1 costs, or others",
          .source = "Shalev-Shwartz & Zhang, Prox-SDCA, 2012, Section 6.5",
          .cost = "O(nnz·classes), and a projection per example",
          .options = kMulticlassSdcaOptions,
          .make = MakeMulticlassSdca,
          .multiclass = true};
}

}  // namespace thresher::learners::batch

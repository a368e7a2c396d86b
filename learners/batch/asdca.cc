// Accelerated mini-batch dual coordinate ascent: Shalev-Shwartz & Zhang, "Accelerated Mini-Batch Stochastic
// Dual Coordinate Ascent" (2013), Fig. 1.
//
//   u = (1 − θ)w + θv;   for each i of a batch of m: α_i ← (1 − θ)α_i − θφ_i'(⟨u,x_i⟩);
//   v = Σ α_i x_i/(λn);   w ← (1 − θ)w + θv
//   θ = ¼ min{1, √(γλn/m), γλn, (γλn)^(2/3)/m^(1/3)},  1/γ: smoothness of φ times max‖x_i‖²
// Neither dual nor gap is monotone.
//
// So that a step touches the batch's features only, w is stored as v + ρe: between touches of a feature v_j
// is constant and w_j − v_j shrinks by 1 − θ per step, as ρ does. A change δ of v_j changes e_j by −δ/ρ.
//
// Threads divide the batch's examples to compute the new α, then the features to update v. Each feature is
// updated in the order of the batch, so the result is the same to the bit for any number of threads.
#include <algorithm>
#include <memory>
#include <vector>

#include "learners/batch/asdca_parts.h"
#include "learners/batch/draw_order.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kAsdcaName = "asdca";

class AsdcaSolver final : public Solver {
 public:
  AsdcaSolver(const Examples& examples, const OptionValues& complete, uint64_t seed, Parallel parallel)
      : examples_(examples),
        objective_{.loss = ReadMarginLoss(complete), .l2 = NumberOption(complete, "l2")},
        seed_(seed),
        parallel_(std::move(parallel)),
        batch_(std::min(static_cast<size_t>(NumberOption(complete, "batch")), examples.rows.size())),
        per_unit_(1 / (objective_.l2 * static_cast<double>(examples.rows.size()))),
        theta_(Theta()),
        alpha_(examples.rows.size()),
        v_(examples.rows.width),
        lag_(examples.rows.width),
        weights_(examples.rows.width),
        margins_(examples.rows.size()),
        changes_(batch_) {}

  void Step() override {
    std::vector<uint32_t> order = EpochOrder(DrawOrder::kPermuted, alpha_.size(), seed_, tally_.epochs);
    for (size_t begin = 0; begin < order.size(); begin += batch_) {
      Ascend(std::span(order).subspan(begin, std::min(batch_, order.size() - begin)));
    }
    tally_.Count(2 * examples_.rows.entries());
    ++tally_.epochs;
  }

  Progress Report() override {
    Progress progress = tally_.Begun(examples_.rows.entries());
    ComputeMargins(examples_.rows, Weights(), margins_);
    progress.primal = objective_.Primal(examples_, weights_, margins_);
    double dual = 0;
    for (size_t i = 0; i < alpha_.size(); ++i)
      dual += objective_.loss.DualValue(alpha_[i], examples_.Target(i));
    dual = dual / static_cast<double>(alpha_.size()) - objective_.Penalty(v_);
    progress.gap = bound_.GapOf(progress.primal, dual);
    progress.nonzeros = CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override {
    for (size_t j = 0; j < v_.size(); ++j) weights_[j] = v_[j] + shrunk_ * lag_[j];
    return weights_;
  }
  std::vector<std::span<double>> Memory() override {
    return {alpha_, v_, lag_, {&shrunk_, 1}, bound_.AsMemory(), tally_.AsMemory()};
  }

 private:
  double Theta() const {
    double largest = 0;
    for (size_t i = 0; i < examples_.rows.size(); ++i) {
      largest = std::max(largest, SquaredNorm(examples_.rows[i]));
    }
    return AsdcaTheta(objective_.loss, largest, batch_, per_unit_);
  }

  static std::pair<size_t, size_t> Share(size_t count, size_t part, size_t parts) {
    return {count * part / parts, count * (part + 1) / parts};
  }

  void Ascend(std::span<const uint32_t> batch) {
    parallel_([&](size_t part, size_t parts) {
      const auto [begin, end] = Share(batch.size(), part, parts);
      for (size_t b = begin; b < end; ++b) changes_[b] = Change(batch[b]);
    });
    for (size_t b = 0; b < batch.size(); ++b) alpha_[batch[b]] += changes_[b];
    parallel_([&](size_t part, size_t parts) {
      const uint32_t first = FirstFeature(part, parts);
      const uint32_t end = FirstFeature(part + 1, parts);
      for (size_t b = 0; b < batch.size(); ++b) AddChange(batch[b], changes_[b] * per_unit_, first, end);
    });
    shrunk_ *= 1 - theta_;
    if (shrunk_ < kVanishing) {
      for (double& each : lag_) each *= shrunk_;
      shrunk_ = 1;
    }
  }

  double Change(uint32_t i) const {
    const SparseLines::Line x = examples_.rows[i];
    const double left = (1 - theta_) * shrunk_;
    double a = 0;  // ⟨u,x_i⟩
    for (size_t k = 0; k < x.size(); ++k) {
      const uint32_t j = x.indices[k];
      a += (v_[j] + left * lag_[j]) * static_cast<double>(x.values[k]);
    }
    return -theta_ * (alpha_[i] + objective_.loss.Derivative(a, examples_.Target(i)));
  }

  // The first feature of a part. Each part has about the same number of entries.
  uint32_t FirstFeature(size_t part, size_t parts) const {
    if (part == parts) return examples_.rows.width;
    const auto [begin, end] = Share(examples_.rows.entries(), part, parts);
    const auto starts = examples_.columns.starts.first(examples_.rows.width);
    return static_cast<uint32_t>(std::ranges::lower_bound(starts, begin) - starts.begin());
  }

  void AddChange(uint32_t i, double change, uint32_t first, uint32_t end) {
    if (change == 0) return;
    const SparseLines::Line x = examples_.rows[i];
    auto k = static_cast<size_t>(std::ranges::lower_bound(x.indices, first) - x.indices.begin());
    for (; k < x.size() && x.indices[k] < end; ++k) {
      const double delta = change * static_cast<double>(x.values[k]);
      v_[x.indices[k]] += delta;
      lag_[x.indices[k]] -= delta / shrunk_;
    }
  }

  static constexpr double kVanishing = 1e-100;

  Examples examples_;
  ElasticNetObjective objective_;
  uint64_t seed_;
  Parallel parallel_;
  size_t batch_;
  double per_unit_;  // 1/(λn)
  double theta_;
  std::vector<double> alpha_;
  std::vector<double> v_;
  std::vector<double> lag_;  // e
  double shrunk_ = 1;        // ρ
  std::vector<double> weights_;
  std::vector<double> margins_;
  std::vector<double> changes_;
  BestBound bound_;
  Tally tally_;
};

std::unique_ptr<Solver> MakeAsdca(const Examples& examples, const OptionValues& complete, uint64_t seed,
                                  const Parallel& parallel) {
  return std::make_unique<AsdcaSolver>(examples, complete, seed, parallel);
}

}  // namespace

SolverSpec Asdca() {
  return {.name = kAsdcaName,
          .summary = "accelerated dual coordinate ascent in mini-batches, on several threads",
          .source = "Shalev-Shwartz & Zhang, Accelerated mini-batch SDCA, 2013, Fig. 1",
          .cost = "2 O(nnz)",
          .options = kAsdcaOptions,
          .make = MakeAsdca};
}

}  // namespace thresher::learners::batch

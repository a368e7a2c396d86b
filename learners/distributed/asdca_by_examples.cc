// Accelerated mini-batch dual ascent with the examples divided among processes: batch/asdca.cc, which has the
// formulas. The batches are the same for any division: all processes draw the same order of all examples, and
// each computes the changes of those that it has. A step sends the change of v, of all features.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "learners/batch/asdca_parts.h"
#include "learners/batch/draw_order.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/distributed/solver.h"
#include "learners/distributed/tree_sum.h"
#include "learners/options.h"

namespace thresher::learners::distributed {
namespace {

using batch::SparseLines;

class AsdcaByExamplesSolver final : public Solver {
 public:
  AsdcaByExamplesSolver(const Share& share, const OptionValues& complete, uint64_t seed)
      : share_(share),
        objective_{.loss = batch::ReadMarginLoss(complete), .l2 = NumberOption(complete, "l2")},
        seed_(seed),
        batch_(static_cast<size_t>(
            std::min(NumberOption(complete, "batch"), static_cast<double>(share.examples)))),
        per_unit_(1 / (objective_.l2 * static_cast<double>(share.examples))),
        v_(share.features),
        weights_(share.features),
        mixed_(share.features),
        change_(share.features),
        changes_(share.group, share.parts, share.features),
        figures_(share.group, share.parts, 2) {
    for (const batch::Examples& part : share.own) alphas_.emplace_back(part.rows.size());
    PlaceParts();
    theta_ = Theta();
  }

  void Step() override {
    const std::vector<uint32_t> order = batch::EpochOrder(
        batch::DrawOrder::kPermuted, static_cast<size_t>(share_.examples), seed_, tally_.epochs);
    for (size_t begin = 0; begin < order.size(); begin += batch_) {
      Ascend(std::span(order).subspan(begin, std::min(batch_, order.size() - begin)));
    }
    tally_.Count(2 * share_.entries);
    ++tally_.epochs;
  }

  batch::Progress Report() override {
    batch::Progress progress = tally_.Begun(share_.entries);
    std::array<double, 2> sums = {};
    for (size_t k = 0; k < share_.own.size(); ++k) {
      const batch::Examples& part = share_.own[k];
      sums = {};
      for (size_t i = 0; i < part.rows.size(); ++i) {
        sums[0] += objective_.loss.Value(Dot(part.rows[i], weights_), part.Target(i));
        sums[1] += objective_.loss.DualValue(alphas_[k][i], part.Target(i));
      }
      figures_.Add(sums);
    }
    figures_.Finish(sums);
    const auto n = static_cast<double>(share_.examples);
    progress.primal = sums[0] / n + objective_.Penalty(weights_);
    progress.gap = bound_.GapOf(progress.primal, sums[1] / n - objective_.Penalty(v_));
    progress.nonzeros = batch::CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override { return weights_; }

  std::vector<std::span<double>> SharedMemory() override {
    return {v_, weights_, bound_.AsMemory(), tally_.AsMemory()};
  }
  std::vector<std::span<double>> PartMemory(size_t own_part) override { return {alphas_[own_part]}; }

 private:
  // Where the rows of each own part are among all.
  void PlaceParts() {
    std::vector<double> rows(share_.parts.count);
    TreeSum all(share_.group, share_.parts, rows.size());
    for (size_t k = 0; k < share_.own.size(); ++k) {
      std::ranges::fill(rows, 0);
      rows[share_.first() + k] = static_cast<double>(share_.own[k].rows.size());
      all.Add(rows);
    }
    all.Finish(rows);
    double before = 0;
    for (size_t part = 0; part < rows.size(); ++part) {
      if (part >= share_.first() && part < share_.first() + share_.own.size())
        first_rows_.push_back(static_cast<uint32_t>(before));
      before += rows[part];
    }
  }

  double Theta() {
    // The largest is found as the largest of a sum in which each part has a place of its own.
    std::vector<double> squares(share_.parts.count);
    TreeSum all(share_.group, share_.parts, squares.size());
    for (size_t k = 0; k < share_.own.size(); ++k) {
      std::ranges::fill(squares, 0);
      double& largest = squares[share_.first() + k];
      for (size_t i = 0; i < share_.own[k].rows.size(); ++i)
        largest = std::max(largest, SquaredNorm(share_.own[k].rows[i]));
      all.Add(squares);
    }
    all.Finish(squares);
    const double largest = *std::ranges::max_element(squares);
    return batch::AsdcaTheta(objective_.loss, largest, batch_, per_unit_);
  }

  void Ascend(std::span<const uint32_t> batch) {
    for (size_t j = 0; j < v_.size(); ++j) mixed_[j] = (1 - theta_) * weights_[j] + theta_ * v_[j];
    for (size_t k = 0; k < share_.own.size(); ++k) {
      const batch::Examples& part = share_.own[k];
      std::ranges::fill(change_, 0);
      for (const uint32_t row : batch) {
        if (row < first_rows_[k] || row - first_rows_[k] >= part.rows.size()) continue;
        const size_t i = row - first_rows_[k];
        const SparseLines::Line x = part.rows[i];
        const double slope = objective_.loss.Derivative(Dot(x, mixed_), part.Target(i));
        const double change = -theta_ * (alphas_[k][i] + slope);
        alphas_[k][i] += change;
        AddTo(x, change * per_unit_, change_);
      }
      changes_.Add(change_);
    }
    changes_.Finish(change_);
    for (size_t j = 0; j < v_.size(); ++j) {
      v_[j] += change_[j];
      weights_[j] = (1 - theta_) * weights_[j] + theta_ * v_[j];
    }
  }

  Share share_;
  batch::ElasticNetObjective objective_;
  uint64_t seed_;
  size_t batch_;
  double per_unit_;   // 1/(λn)
  double theta_ = 0;  // θ
  std::vector<uint32_t> first_rows_;
  std::vector<std::vector<double>> alphas_;  // of each own part
  std::vector<double> v_;
  std::vector<double> weights_;
  std::vector<double> mixed_;   // u
  std::vector<double> change_;  // of v
  TreeSum changes_;
  TreeSum figures_;
  batch::BestBound bound_;
  batch::Tally tally_;
};

}  // namespace

SolverSpec AsdcaByExamples() {
  return {
      .name = "asdca",
      .summary = "accelerated dual ascent in mini-batches, examples divided among processes",
      .by = Share::By::kExamples,
      .options = batch::kAsdcaOptions,
      .make = [](const Share& share, const OptionValues& complete, uint64_t seed) -> std::unique_ptr<Solver> {
        return std::make_unique<AsdcaByExamplesSolver>(share, complete, seed);
      }};
}

}  // namespace thresher::learners::distributed

// Dual coordinate ascent with the examples divided among processes: CoCoA+, Ma, Smith, Jaggi, Jordan,
// Richtárik & Takáč, "Adding vs. Averaging in Distributed Primal-Dual Optimization" (2015), with γ = 1.
//
//   min (1/n) Σ φ_i(⟨w,x_i⟩) + λ2·g(w)         signs: batch/margin_loss.h, g: batch/dual_regulariser.h
// In an epoch each of the K parts begins with u = v and visits its examples in random order, `local_passes`
// times:
//   a = ⟨∇g*(u),x_i⟩,  α_i ← argmax −φ*(−α) − (α − α_i) a − (α − α_i)² q_i/2,      q_i = K‖x_i‖²/(λ2 n)
//   u ← u + K·(change of α_i) x_i/(λ2 n)
// Then v ← v + Σ_k (u_k − v)/K, and w = ∇g*(v). Each part counts its own changes K times, so that all changes
// together do not make the dual fall: the new v is the mean of the u_k, and g* is convex. (The paper has ‖·‖²
// for g*, or a bound by it.) With one part this is sdca without shrinking.
#include <array>
#include <memory>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/dual_regulariser.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/margin_loss.h"
#include "learners/distributed/solver.h"
#include "learners/distributed/tree_sum.h"
#include "learners/options.h"

namespace thresher::learners::distributed {
namespace {

using batch::SparseLines;

class SdcaByExamplesSolver final : public Solver {
 public:
  SdcaByExamplesSolver(const Share& share, const OptionValues& complete, uint64_t seed)
      : share_(share),
        loss_(batch::ReadMarginLoss(complete)),
        l2_(NumberOption(complete, "l2")),
        regulariser_(NumberOption(complete, "l1") / l2_, share.features),
        local_passes_(static_cast<uint64_t>(NumberOption(complete, "local_passes"))),
        seed_(seed),
        caution_(static_cast<double>(share.parts.count)),
        per_unit_(1 / (l2_ * static_cast<double>(share.examples))),
        v_(share.features),
        weights_(share.features),
        ahead_(share.features),
        change_(share.features + 1),
        changes_(share.group, share.parts, share.features + 1),
        figures_(share.group, share.parts, kFigures) {
    for (const batch::Examples& part : share.own) alphas_.emplace_back(part.rows.size());
  }

  void Step() override {
    for (size_t k = 0; k < share_.own.size(); ++k) {
      const uint64_t visited = Ascend(k);
      for (size_t j = 0; j < v_.size(); ++j) change_[j] = (ahead_[j] - v_[j]) / caution_;
      change_.back() = static_cast<double>(visited);
      changes_.Add(change_);
    }
    changes_.Finish(change_);
    for (size_t j = 0; j < v_.size(); ++j) v_[j] += change_[j];
    tally_.data_accesses += change_.back();
    ++tally_.epochs;
  }

  batch::Progress Report() override {
    batch::Progress progress = tally_.Begun(share_.entries);
    Weights();
    std::array<double, kFigures> sums = {};
    for (size_t k = 0; k < share_.own.size(); ++k) {
      const batch::Examples& part = share_.own[k];
      sums = {};
      for (size_t i = 0; i < part.rows.size(); ++i) {
        sums[0] += loss_.Value(Dot(part.rows[i], weights_), part.Target(i));
        sums[1] += loss_.DualValue(alphas_[k][i], part.Target(i));
      }
      figures_.Add(sums);
    }
    figures_.Finish(sums);
    const auto n = static_cast<double>(share_.examples);
    progress.primal = sums[0] / n + l2_ * regulariser_.Value(weights_);
    progress.gap = progress.primal - (sums[1] / n - l2_ * regulariser_.Conjugate(v_));
    progress.nonzeros = batch::CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override {
    for (size_t j = 0; j < v_.size(); ++j) weights_[j] = regulariser_.Weight(v_[j]);
    return weights_;
  }

  std::vector<std::span<double>> SharedMemory() override { return {v_, tally_.AsMemory()}; }
  std::vector<std::span<double>> PartMemory(size_t own_part) override { return {alphas_[own_part]}; }

 private:
  static constexpr size_t kFigures = 2;

  // The passes over own part k, in ahead_; returns the entries read.
  uint64_t Ascend(size_t k) {
    const batch::Examples& part = share_.own[k];
    std::vector<double>& alpha = alphas_[k];
    ahead_ = v_;
    uint64_t visited = 0;
    for (uint64_t pass = 0; pass < local_passes_; ++pass) {
      const double number = tally_.epochs * static_cast<double>(local_passes_) + static_cast<double>(pass);
      for (const uint32_t i :
           batch::EpochOrder(batch::DrawOrder::kPermuted, alpha.size(), seed_ + share_.first() + k, number)) {
        const SparseLines::Line x = part.rows[i];
        const double curvature = caution_ * batch::ElasticNetRegulariser::Size(x) * per_unit_;
        const double next = loss_.DualStep(alpha[i], MarginAhead(x), part.Target(i), curvature);
        visited += x.size();
        if (next == alpha[i]) continue;
        AddTo(x, caution_ * (next - alpha[i]) * per_unit_, ahead_);
        alpha[i] = next;
        visited += x.size();
      }
    }
    return visited;
  }

  double MarginAhead(const SparseLines::Line& x) const {
    double a = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      a += regulariser_.Weight(ahead_[x.indices[k]]) * static_cast<double>(x.values[k]);
    }
    return a;
  }

  Share share_;
  batch::MarginLoss loss_;
  double l2_;
  batch::ElasticNetRegulariser regulariser_;
  uint64_t local_passes_;
  uint64_t seed_;
  double caution_;                           // K
  double per_unit_;                          // 1/(λ2 n)
  std::vector<std::vector<double>> alphas_;  // of each own part
  std::vector<double> v_;
  std::vector<double> weights_;
  std::vector<double> ahead_;   // u
  std::vector<double> change_;  // of v; the last number is entries read
  TreeSum changes_;
  TreeSum figures_;
  batch::Tally tally_;
};

constexpr std::array kSdcaByExamplesOptions = {
    batch::kMarginLossOption,
    batch::kGammaOption,
    batch::BatchPenaltyOption("l1", "0", batch::kL1Help),
    batch::BatchPenaltyOption("l2", "0.0001", batch::kL2Help, false),
    OptionSpec{.name = "local_passes",
               .default_value = "1",
               .min = 1,
               .max = 1000,
               .whole = true,
               .help = "passes of each part over its examples before the parts communicate"},
};

}  // namespace

SolverSpec SdcaByExamples() {
  return {
      .name = "sdca",
      .summary = "dual coordinate ascent, examples divided among processes (CoCoA+)",
      .by = Share::By::kExamples,
      .options = kSdcaByExamplesOptions,
      .make = [](const Share& share, const OptionValues& complete, uint64_t seed) -> std::unique_ptr<Solver> {
        return std::make_unique<SdcaByExamplesSolver>(share, complete, seed);
      }};
}

}  // namespace thresher::learners::distributed

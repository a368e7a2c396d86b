// Accelerated Prox-SDCA: Shalev-Shwartz & Zhang, "Accelerated Proximal Stochastic Dual Coordinate Ascent for
// Regularized Loss Minimization" (2014), Section 2.1. For a small l2, where sdca needs many passes.
//
// It solves a sequence of easier problems, each near the point y by dual ascent (sdca.cc) from the last α,
//   w_t ≈ argmin P(w) + (κ/2)‖w − y‖²,     y ← w_t + β(w_t − w_{t−1})
//   κ = R²/(γn) − λ, at least 0;  μ = λ/2, ρ = μ + κ, η = √(μ/ρ), β = (1 − η)/(1 + η)
// with 1/γ the smoothness of φ and R the largest ‖x_i‖. Problem t is solved to a duality gap of
//   (η/2)(1 − η/2)^(t−1) P(0),
// after which its weights are within that times 2(1 + ρ/μ)/η of the minimum of P.
//
// With c = (1/n) Σ α_i x_i and s = λ + κ the ascent keeps v = (c + κy)/s, and w = soft(v, σ/s). Two gaps:
//   of the problem    (1/n) Σ φ_i(a_i) + φ_i*(−α_i) + α_i a_i
//   of P, reported    P(w) − D(α),  D(α) = (1/n) Σ −φ_i*(−α_i) − ‖soft(c, σ)‖²/(2λ), the best of all reports
//
// paper     here
// λ, σ      l2, l1
// y         centre_
// w_{t−1}   previous_
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/dual_ascent.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kAcceleratedSdcaName = "accelerated-sdca";

// κ, given how many times the paper's it is to be.
double Proximity(const Examples& examples, const ElasticNetObjective& objective, double times) {
  double largest = 0;
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    largest = std::max(largest, SquaredNorm(examples.rows[i]));
  }
  const double paper =
      largest * objective.loss.Smoothness() / static_cast<double>(examples.rows.size()) - objective.l2;
  return times * std::max(0.0, paper);
}

class AcceleratedSdcaSolver final : public Solver {
 public:
  AcceleratedSdcaSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : examples_(examples),
        objective_(ReadElasticNetObjective(complete)),
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        kappa_(Proximity(examples, objective_, NumberOption(complete, "proximity"))),
        l2_(objective_.l2 + kappa_),
        eta_(std::sqrt(objective_.l2 / (objective_.l2 + 2 * kappa_))),
        ascent_(examples, objective_.loss, l2_,
                ElasticNetRegulariser(objective_.l1 / l2_, examples.rows.width)),
        centre_(examples.rows.width),
        previous_(examples.rows.width),
        weights_(examples.rows.width),
        margins_(examples.rows.size()),
        allowed_(eta_ / 2 * objective_.Primal(examples, weights_, margins_)) {}

  // An epoch on the current problem, and the reading of its gap.
  void Step() override {
    if (is_solved_ != 0) BeginNext();
    const std::vector<uint32_t> order = EpochOrder(order_, ascent_.alpha.size(), seed_, ascent_.tally.epochs);
    for (size_t k = 0; k < order.size(); ++k) {
      ascent_.Prefetch(order, k);
      ascent_.Set(order[k], ascent_.Best(order[k], ascent_.ReadMargin(order[k])));
    }
    is_solved_ = InnerGap() <= allowed_ ? 1 : 0;
    ascent_.tally.Count(examples_.rows.entries());
    ++ascent_.tally.epochs;
  }

  Progress Report() override {
    Progress progress = ascent_.tally.Begun(examples_.rows.entries());
    ComputeMargins(examples_.rows, Weights(), margins_);
    progress.primal = objective_.Primal(examples_, weights_, margins_);
    progress.gap = bound_.GapOf(progress.primal, Dual());
    progress.nonzeros = CountNonzeros(weights_);
    return progress;
  }

  std::span<const double> Weights() override {
    for (size_t j = 0; j < weights_.size(); ++j) weights_[j] = ascent_.regulariser.Weight(ascent_.v[j]);
    return weights_;
  }

  std::vector<std::span<double>> Memory() override {
    return {ascent_.alpha,  ascent_.v,        centre_,           previous_,
            {&allowed_, 1}, {&is_solved_, 1}, bound_.AsMemory(), ascent_.tally.AsMemory()};
  }

 private:
  double InnerGap() {
    ComputeMargins(examples_.rows, Weights(), margins_);
    double sum = 0;
    for (size_t i = 0; i < margins_.size(); ++i) {
      const double y = examples_.Target(i);
      const double alpha = ascent_.alpha[i];
      sum +=
          objective_.loss.Value(margins_[i], y) - objective_.loss.DualValue(alpha, y) + alpha * margins_[i];
    }
    return sum / static_cast<double>(margins_.size());
  }

  // D(α) of the objective itself.
  double Dual() const {
    double dual = 0;
    for (size_t i = 0; i < ascent_.alpha.size(); ++i) {
      dual += objective_.loss.DualValue(ascent_.alpha[i], examples_.Target(i));
    }
    double squares = 0;
    for (size_t j = 0; j < centre_.size(); ++j) {
      const double u = SoftThreshold(l2_ * ascent_.v[j] - kappa_ * centre_[j], objective_.l1);
      squares += u * u;
    }
    return dual / static_cast<double>(ascent_.alpha.size()) - squares / (2 * objective_.l2);
  }

  void BeginNext() {
    const double beta = (1 - eta_) / (1 + eta_);
    for (size_t j = 0; j < centre_.size(); ++j) {
      const double w = ascent_.regulariser.Weight(ascent_.v[j]);
      const double y = w + beta * (w - previous_[j]);
      ascent_.v[j] += kappa_ / l2_ * (y - centre_[j]);
      centre_[j] = y;
      previous_[j] = w;
    }
    allowed_ *= 1 - eta_ / 2;
    is_solved_ = 0;
  }

  Examples examples_;
  ElasticNetObjective objective_;
  DrawOrder order_;
  uint64_t seed_;
  double kappa_;
  double l2_;  // of the problems: λ + κ
  double eta_;
  DualAscent<ElasticNetRegulariser> ascent_;
  std::vector<double> centre_;
  std::vector<double> previous_;
  std::vector<double> weights_;
  std::vector<double> margins_;
  double allowed_;        // gap to which the current problem is solved
  double is_solved_ = 0;  // 1 = it is
  BestBound bound_;
};

constexpr std::array kAcceleratedSdcaOptions = {
    kSmoothLossOption,
    kGammaOption,
    BatchPenaltyOption("l1", "0", kL1Help),
    BatchPenaltyOption("l2", "1e-06", kL2Help, false),
    OptionSpec{.name = "proximity",
               .default_value = "1",
               .min = 0,
               .max = 1000,
               .help = "κ in multiples of the paper's, largest ‖x‖²/(γn) − l2; 0: plain dual ascent"},
    kDrawOrderOption,
};

std::unique_ptr<Solver> MakeAcceleratedSdca(const Examples& examples, const OptionValues& complete,
                                            uint64_t seed, const Parallel& /*parallel*/) {
  return std::make_unique<AcceleratedSdcaSolver>(examples, complete, seed);
}

}  // namespace

SolverSpec AcceleratedSdca() {
  return {.name = kAcceleratedSdcaName,
          .summary = "dual coordinate ascent in an accelerated outer loop, for small l2",
          .source = "Shalev-Shwartz & Zhang, Accelerated Prox-SDCA, 2014, Section 2.1",
          .cost = "3 O(nnz) and a dual step per example",
          .options = kAcceleratedSdcaOptions,
          .make = MakeAcceleratedSdca};
}

}  // namespace thresher::learners::batch

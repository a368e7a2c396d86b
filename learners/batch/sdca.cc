// Stochastic dual coordinate ascent: Shalev-Shwartz & Zhang, "Stochastic Dual Coordinate Ascent Methods for
// Regularized Loss Minimization" (2013), and "Proximal Stochastic Dual Coordinate Ascent" (2012).
//
//   min (1/n) Σ φ_i(⟨w,x_i⟩) + λ2·g(w)         signs: margin_loss.h, g: dual_regulariser.h
// For one example i after another
//   a = ⟨w,x_i⟩,  α_i ← argmax −φ*(−α) − (α − α_i) a − (α − α_i)² q/2,   q = Size(x_i)/(λ2 n)
//   v ← v + (change of α_i) x_i/(λ2 n),  w = ∇g*(v) where it is read
// In cyclic order this is dual coordinate ascent as in Hsieh et al. 2008, the baseline of the first paper.
//
// Shrinking, after Algorithm 3 of Hsieh et al., for losses where α has bounds that most examples end at: an
// example is left out of the next passes if its α is at a bound and the slope of the dual there is steeper
// than that of any α that moved in the last pass. All examples return when the steepest slope of a pass over
// the others falls to a tenth of that of the last pass over all. The gap always includes all examples.
//
// With `average` = on the result is that of the α averaged over the steps of the last epochs, as in the
// theorems of the first paper (running_average.h); the steps are the same.
//
// paper     here
// λ, σ      l2, l1
// α_i, v    alpha_, v_
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/dual_regulariser.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/margin_loss.h"
#include "learners/batch/running_average.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kSdcaName = "sdca";

template <class Regulariser>
class SdcaSolver final : public Solver {
 public:
  SdcaSolver(const Examples& examples, const OptionValues& complete, uint64_t seed)
      : examples_(examples),
        loss_(ReadMarginLoss(complete)),
        l2_(NumberOption(complete, "l2")),
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        per_unit_(1 / (l2_ * static_cast<double>(examples.rows.size()))),
        regulariser_(NumberOption(complete, "l1") / l2_, examples.rows.width),
        alpha_(examples.rows.size()),
        v_(examples.rows.width),
        weights_(examples.rows.width),
        averages_(SwitchOption(complete, "average")),
        average_(averages_ ? alpha_.size() : 0),
        left_out_(WordOption(complete, "shrinking") == "on" && loss_.HasCorners() ? alpha_.size() : 0) {
    curvatures_.reserve(alpha_.size());
    for (size_t i = 0; i < alpha_.size(); ++i) {
      curvatures_.push_back(regulariser_.Size(examples_.rows[i]) * per_unit_);
    }
  }

  void Step() override {
    regulariser_.Refresh(v_);
    average_.BeginEpoch(static_cast<uint64_t>(tally_.epochs));
    Draws draws(seed_, static_cast<uint64_t>(tally_.epochs));
    Draws of_pass = draws;
    size_t visits = 0;
    for (uint64_t pass = 1; 2 * visits < alpha_.size(); ++pass) {
      std::vector<uint32_t> visited = Active();
      visits += visited.size();
      Arrange(order_, of_pass, &visited);
      Pass(visited);
      of_pass = Draws(draws.Next(), pass);
    }
    ++tally_.epochs;
  }

  Progress Report() override {
    Progress progress = tally_.Begun(examples_.rows.entries());
    const std::span<const double> w = Weights();
    double primal = 0;
    double dual = 0;
    for (size_t i = 0; i < alpha_.size(); ++i) {
      primal += loss_.Value(Dot(examples_.rows[i], w), examples_.Target(i));
      dual += loss_.DualValue(ResultOf(i), examples_.Target(i));
    }
    const auto n = static_cast<double>(alpha_.size());
    progress.primal = primal / n + l2_ * regulariser_.Value(w);
    progress.gap = progress.primal - (dual / n - l2_ * regulariser_.Conjugate(ResultV()));
    progress.nonzeros = CountNonzeros(w);
    return progress;
  }

  std::span<const double> Weights() override {
    if (averages_) ComputeAverage();
    const std::span<const double> v = ResultV();
    regulariser_.Refresh(v);  // a step does so with v_
    for (size_t j = 0; j < v.size(); ++j) weights_[j] = regulariser_.Weight(v[j]);
    return weights_;
  }

  std::vector<std::span<double>> Memory() override {
    std::vector<std::span<double>> memory = {
        alpha_, v_, left_out_, {&steep_, 1}, {&steepest_of_all_, 1}, tally_.AsMemory()};
    for (const std::span<double> part : average_.Memory()) memory.push_back(part);
    return memory;
  }

  // Sets α by the optimality condition α_i = −φ'(a_i).
  bool WarmStart(std::span<const double> weights) override {
    std::fill(v_.begin(), v_.end(), 0);
    average_.Restart();
    for (size_t i = 0; i < alpha_.size(); ++i) {
      alpha_[i] = -loss_.Derivative(Dot(examples_.rows[i], weights), examples_.Target(i));
      if (alpha_[i] != 0) AddTo(examples_.rows[i], alpha_[i] * per_unit_, v_);
    }
    return true;
  }

 private:
  static constexpr double kEnough = 0.1;
  static constexpr size_t kAhead = 8;

  // α_i and v of the result.
  double ResultOf(size_t i) const { return average_.IsEmpty() ? alpha_[i] : average_.Of(i, alpha_[i]); }
  std::span<const double> ResultV() const { return averages_ ? averaged_v_ : v_; }
  void ComputeAverage() {
    averaged_v_.assign(v_.size(), 0);
    for (size_t i = 0; i < alpha_.size(); ++i) {
      if (const double alpha = ResultOf(i); alpha != 0) {
        AddTo(examples_.rows[i], alpha * per_unit_, averaged_v_);
      }
    }
  }

  std::vector<uint32_t> Active() const {
    std::vector<uint32_t> active = AllBelow(static_cast<uint32_t>(alpha_.size()));
    if (!left_out_.empty()) std::erase_if(active, [this](uint32_t i) { return left_out_[i] != 0; });
    return active;
  }

  void Pass(const std::vector<uint32_t>& visited) {
    steepest_ = 0;
    for (size_t k = 0; k < visited.size(); ++k) {
      if (k + kAhead < visited.size()) Prefetch(visited[k + kAhead]);
      Visit(visited[k]);
    }
    steep_ = steepest_;
    if (visited.size() == alpha_.size()) {
      steepest_of_all_ = steepest_;
    } else if (steepest_ <= kEnough * steepest_of_all_) {
      std::ranges::fill(left_out_, 0);
    }
  }

  // In random order the hardware does not predict the next row.
  void Prefetch(uint32_t i) const {
    const SparseLines::Line x = examples_.rows[i];
    __builtin_prefetch(x.indices.data());
    __builtin_prefetch(x.values.data());
    __builtin_prefetch(&alpha_[i]);
  }

  void Visit(uint32_t i) {
    const SparseLines::Line x = examples_.rows[i];
    double a = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      a += regulariser_.Weight(v_[x.indices[k]]) * static_cast<double>(x.values[k]);
    }
    tally_.Count(x.size());
    const double next = loss_.DualStep(alpha_[i], a, examples_.Target(i), curvatures_[i]);
    if (!left_out_.empty()) ConsiderLeavingOut(i, a, next);
    const double step = (next - alpha_[i]) * per_unit_;
    if (averages_) average_.Step(i, alpha_[i]);
    alpha_[i] = next;
    if (step != 0) Move(x, step);
  }

  // Decides whether to leave out example i, whose α is about to become `next`.
  void ConsiderLeavingOut(uint32_t i, double a, double next) {
    const double slope = std::abs(loss_.DualSlope(alpha_[i], a, examples_.Target(i)));
    if (next != alpha_[i]) {
      steepest_ = std::max(steepest_, slope);
    } else if (slope > steep_) {
      left_out_[i] = 1;
    }
  }

  void Move(const SparseLines::Line& x, double step) {
    for (size_t k = 0; k < x.size(); ++k) {
      double& v = v_[x.indices[k]];
      const double from = v;
      v += step * static_cast<double>(x.values[k]);
      regulariser_.Moved(from, v);
    }
    if constexpr (requires { regulariser_.SetSum(0.0); }) regulariser_.SetSum(regulariser_.sum);
    tally_.Count(x.size());
  }

  Examples examples_;
  MarginLoss loss_;
  double l2_;
  DrawOrder order_;
  uint64_t seed_;
  double per_unit_;  // 1/(λn)
  Regulariser regulariser_;
  std::vector<double> alpha_;
  std::vector<double> v_;
  std::vector<double> weights_;
  bool averages_;
  RunningAverage average_;  // of α
  std::vector<double> averaged_v_;
  std::vector<double> curvatures_;        // q of each example
  std::vector<double> left_out_;          // 1 = left out; empty = no shrinking
  double steep_ = MarginLoss::kInfinity;  // slope from which an example at a bound is left out
  double steepest_ = 0;                   // slope of any α that moved in this pass
  double steepest_of_all_ = 0;            // the same of the last pass over all examples
  Tally tally_;
};

constexpr std::array<std::string_view, 2> kNormNames = {"l2", "low-linf"};
constexpr std::array<std::string_view, 2> kShrinkingNames = {"on", "off"};
constexpr std::array<std::string_view, 2> kAverageNames = {"off", "on"};
constexpr std::array kSdcaOptions = {
    kMarginLossOption,
    kGammaOption,
    BatchPenaltyOption("l1", "0", kL1Help),
    BatchPenaltyOption("l2", "0.0001", "λ of λg(w); larger values give smaller weights", false),
    OptionSpec{.name = "norm",
               .default_value = "l2",
               .choices = kNormNames,
               .help = "g: ‖w‖²/2, or 3 log d ‖w‖_q²/2, which suits rows of many small features"},
    kDrawOrderOption,
    OptionSpec{.name = "shrinking",
               .default_value = "on",
               .choices = kShrinkingNames,
               .help = "leave out, for some passes, examples whose α stays at a bound"},
    OptionSpec{.name = "average",
               .default_value = "off",
               .choices = kAverageNames,
               .help = "result: the average over the steps of the last half or more of the epochs"},
};

std::unique_ptr<Solver> MakeSdca(const Examples& examples, const OptionValues& complete, uint64_t seed,
                                 const Parallel& /*parallel*/) {
  if (WordOption(complete, "norm") == "l2") {
    return std::make_unique<SdcaSolver<ElasticNetRegulariser>>(examples, complete, seed);
  }
  return std::make_unique<SdcaSolver<LowInfinityRegulariser>>(examples, complete, seed);
}

}  // namespace

SolverSpec Sdca() {
  return {.name = kSdcaName,
          .summary = "proximal dual coordinate ascent: elastic net to a stated duality gap",
          .source = "Shalev-Shwartz & Zhang 2013; Prox-SDCA, 2012, Sections 6.3 and 6.4",
          .cost = "O(nnz) and a dual step per example, for the examples that shrinking keeps",
          .options = kSdcaOptions,
          .make = MakeSdca};
}

}  // namespace thresher::learners::batch

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
// α_i, v    ascent_.alpha, .v
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "learners/batch/draw_order.h"
#include "learners/batch/dual_ascent.h"
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
      : l2_(NumberOption(complete, "l2")),
        order_(ReadDrawOrder(complete)),
        seed_(seed),
        ascent_(examples, ReadMarginLoss(complete), l2_,
                Regulariser(NumberOption(complete, "l1") / l2_, examples.rows.width)),
        weights_(examples.rows.width),
        averages_(SwitchOption(complete, "average")),
        average_(averages_ ? examples.rows.size() : 0),
        left_out_(WordOption(complete, "shrinking") == "on" && ascent_.loss.HasCorners()
                      ? examples.rows.size()
                      : 0) {}

  void Step() override {
    ascent_.regulariser.Refresh(ascent_.v);
    average_.BeginEpoch(static_cast<uint64_t>(ascent_.tally.epochs));
    Draws draws(seed_, static_cast<uint64_t>(ascent_.tally.epochs));
    Draws of_pass = draws;
    size_t visits = 0;
    for (uint64_t pass = 1; 2 * visits < ascent_.alpha.size(); ++pass) {
      std::vector<uint32_t> visited = Active();
      visits += visited.size();
      Arrange(order_, of_pass, &visited);
      Pass(visited);
      of_pass = Draws(draws.Next(), pass);
    }
    ++ascent_.tally.epochs;
  }

  Progress Report() override {
    Progress progress = ascent_.tally.Begun(ascent_.examples.rows.entries());
    const std::span<const double> w = Weights();
    double primal = 0;
    double dual = 0;
    for (size_t i = 0; i < ascent_.alpha.size(); ++i) {
      primal += ascent_.loss.Value(Dot(ascent_.examples.rows[i], w), ascent_.examples.Target(i));
      dual += ascent_.loss.DualValue(ResultOf(i), ascent_.examples.Target(i));
    }
    const auto n = static_cast<double>(ascent_.alpha.size());
    progress.primal = primal / n + l2_ * ascent_.regulariser.Value(w);
    progress.gap = progress.primal - (dual / n - l2_ * ascent_.regulariser.Conjugate(ResultV()));
    progress.nonzeros = CountNonzeros(w);
    return progress;
  }

  std::span<const double> Weights() override {
    if (averages_) ComputeAverage();
    const std::span<const double> v = ResultV();
    ascent_.regulariser.Refresh(v);  // a step does so with ascent_.v
    for (size_t j = 0; j < v.size(); ++j) weights_[j] = ascent_.regulariser.Weight(v[j]);
    return weights_;
  }

  std::vector<std::span<double>> Memory() override {
    std::vector<std::span<double>> memory = {
        ascent_.alpha, ascent_.v, left_out_, {&steep_, 1}, {&steepest_of_all_, 1}, ascent_.tally.AsMemory()};
    for (const std::span<double> part : average_.Memory()) memory.push_back(part);
    return memory;
  }

  // Sets α by the optimality condition α_i = −φ'(a_i).
  bool WarmStart(std::span<const double> weights) override {
    std::fill(ascent_.v.begin(), ascent_.v.end(), 0);
    average_.Restart();
    for (size_t i = 0; i < ascent_.alpha.size(); ++i) {
      ascent_.alpha[i] =
          -ascent_.loss.Derivative(Dot(ascent_.examples.rows[i], weights), ascent_.examples.Target(i));
      if (ascent_.alpha[i] != 0)
        AddTo(ascent_.examples.rows[i], ascent_.alpha[i] * ascent_.per_unit, ascent_.v);
    }
    return true;
  }

 private:
  static constexpr double kEnough = 0.1;

  // α_i and v of the result.
  double ResultOf(size_t i) const {
    return average_.IsEmpty() ? ascent_.alpha[i] : average_.Of(i, ascent_.alpha[i]);
  }
  std::span<const double> ResultV() const { return averages_ ? averaged_v_ : ascent_.v; }
  void ComputeAverage() {
    averaged_v_.assign(ascent_.v.size(), 0);
    for (size_t i = 0; i < ascent_.alpha.size(); ++i) {
      if (const double alpha = ResultOf(i); alpha != 0) {
        AddTo(ascent_.examples.rows[i], alpha * ascent_.per_unit, averaged_v_);
      }
    }
  }

  std::vector<uint32_t> Active() const {
    std::vector<uint32_t> active = AllBelow(static_cast<uint32_t>(ascent_.alpha.size()));
    if (!left_out_.empty()) std::erase_if(active, [this](uint32_t i) { return left_out_[i] != 0; });
    return active;
  }

  void Pass(const std::vector<uint32_t>& visited) {
    steepest_ = 0;
    for (size_t k = 0; k < visited.size(); ++k) {
      ascent_.Prefetch(visited, k);
      Visit(visited[k]);
    }
    steep_ = steepest_;
    if (visited.size() == ascent_.alpha.size()) {
      steepest_of_all_ = steepest_;
    } else if (steepest_ <= kEnough * steepest_of_all_) {
      std::ranges::fill(left_out_, 0);
    }
  }

  void Visit(uint32_t i) {
    const double a = ascent_.ReadMargin(i);
    const double next = ascent_.Best(i, a);
    if (!left_out_.empty()) ConsiderLeavingOut(i, a, next);
    if (averages_) average_.Step(i, ascent_.alpha[i]);
    ascent_.Set(i, next);
  }

  // Decides whether to leave out example i, whose α is about to become `next`.
  void ConsiderLeavingOut(uint32_t i, double a, double next) {
    const double slope = std::abs(ascent_.loss.DualSlope(ascent_.alpha[i], a, ascent_.examples.Target(i)));
    if (next != ascent_.alpha[i]) {
      steepest_ = std::max(steepest_, slope);
    } else if (slope > steep_) {
      left_out_[i] = 1;
    }
  }

  double l2_;
  DrawOrder order_;
  uint64_t seed_;
  DualAscent<Regulariser> ascent_;
  std::vector<double> weights_;
  bool averages_;
  RunningAverage average_;  // of α
  std::vector<double> averaged_v_;
  std::vector<double> left_out_;          // 1 = left out; empty = no shrinking
  double steep_ = MarginLoss::kInfinity;  // slope from which an example at a bound is left out
  double steepest_ = 0;                   // slope of any α that moved in this pass
  double steepest_of_all_ = 0;            // the same of the last pass over all examples
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

// Projected gradient on the ℓ1-ball: min (1/n) Σ φ_i(⟨w,x_i⟩) with ‖w‖₁ ≤ z. See ball_descent.h.
#include <array>
#include <memory>

#include "learners/batch/ball_descent.h"
#include "learners/batch/margin_loss.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kProjectedGradientName = "projected-gradient";

class OneMargin final : public RowLoss {
 public:
  explicit OneMargin(const MarginLoss& loss) : loss_(loss) {}
  size_t Outputs() const override { return 1; }
  double Value(std::span<const double> margins, double target) const override {
    return loss_.Value(margins[0], target);
  }
  void Differentiate(std::span<double> margins, double target) const override {
    margins[0] = loss_.Derivative(margins[0], target);
  }

 private:
  MarginLoss loss_;
};

constexpr std::array kProjectedGradientOptions = {kSmoothLossOption, kGammaOption, kBallRadiusOption,
                                                  kBallStepOption, kBallRateOption};

std::unique_ptr<Solver> MakeProjectedGradient(const Examples& examples, const OptionValues& complete,
                                              uint64_t /*seed*/, const Parallel& /*parallel*/) {
  return MakeBallDescent(examples, complete, std::make_unique<OneMargin>(ReadMarginLoss(complete)));
}

}  // namespace

SolverSpec ProjectedGradient() {
  return {.name = kProjectedGradientName,
          .summary = "gradient descent; each step is projected onto the ball ‖w‖₁ ≤ radius",
          .source = "Duchi, Shalev-Shwartz, Singer & Chandra 2008, Section 7.1",
          .cost = "2 O(nnz), O(nnz) more per rate tried, and a projection",
          .options = kProjectedGradientOptions,
          .make = MakeProjectedGradient};
}

}  // namespace thresher::learners::batch

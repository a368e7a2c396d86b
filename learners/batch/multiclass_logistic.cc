// Multiclass logistic regression with one ℓ1-ball per class: Duchi et al. 2008, Section 7.2.
//
//   min (1/n) Σ [log Σ_c exp(a_ic) − a_iy],  a_ic = ⟨w_c,x_i⟩,  ‖w_c‖₁ ≤ z        ball_descent.h
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "learners/batch/ball_descent.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kMulticlassLogisticName = "multiclass-logistic";

class Softmax final : public RowLoss {
 public:
  explicit Softmax(size_t classes) : classes_(classes) {}
  size_t Outputs() const override { return classes_; }

  double Value(std::span<const double> margins, double target) const override {
    const double largest = *std::ranges::max_element(margins);
    double sum = 0;
    for (const double a : margins) sum += std::exp(a - largest);
    return std::log(sum) + largest - margins[static_cast<size_t>(target)];
  }

  void Differentiate(std::span<double> margins, double target) const override {
    const double largest = *std::ranges::max_element(margins);
    double sum = 0;
    for (double& a : margins) sum += a = std::exp(a - largest);
    for (double& a : margins) a /= sum;
    margins[static_cast<size_t>(target)] -= 1;
  }

 private:
  size_t classes_;
};

constexpr std::array kMulticlassLogisticOptions = {kBallRadiusOption, kBallStepOption, kBallRateOption};

std::unique_ptr<Solver> MakeMulticlassLogistic(const Examples& examples, const OptionValues& complete,
                                               uint64_t /*seed*/, const Parallel& /*parallel*/) {
  return MakeBallDescent(examples, complete, std::make_unique<Softmax>(examples.classes));
}

}  // namespace

SolverSpec MulticlassLogistic() {
  return {.name = kMulticlassLogisticName,
          .summary = "multiclass logistic loss; the weights of each class are projected onto a ball",
          .source = "Duchi, Shalev-Shwartz, Singer & Chandra 2008, Section 7.2",
          .cost = "2 O(nnz·classes), O(nnz·classes) more per rate tried, and the projections",
          .options = kMulticlassLogisticOptions,
          .make = MakeMulticlassLogistic,
          .multiclass = true};
}

}  // namespace thresher::learners::batch

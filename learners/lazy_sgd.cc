// Stochastic gradient descent with lazy elastic net: Lipton & Elkan, "Efficient Elastic Net Regularization
// for Sparse Linear Models" (2015), Theorem 1.
//
// On the touched coordinates     w_j ← w_j − η L'(a,y) x_j
// then on all of them            |w_j| ← max((1 − ηλ2)|w_j| − ηλ1, 0)
//
// paper                          here
// P(t) = ∏_{τ≤t}(1 − η_τ λ2)     Shrinkage::scale (since the last rebase)
// B(t) = Σ_{τ≤t} η_τ/P(τ)        Shrinkage::shift/λ1; the paper's η_τ/P(τ−1) holds for a constant rate only
// ψ_j, the clock of weight j     not needed: u_j = |w_j|/P + λ1·B is stored when w_j is written
#include <fmt/format.h>

#include "learners/shrinkage/elastic_net.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kLazySgdName = "lazy-sgd";

struct SgdShrink {
  static void Apply(Shrinkage& shrinkage, double rate_l1, double rate_l2) {
    shrinkage.Multiply(1 - rate_l2);
    shrinkage.Subtract(rate_l1);
  }
};

// 1 − ηλ2 must stay above 0. No schedule exceeds its first rate.
OptionFault CheckFactor(const OptionValues& complete) {
  const double product = NumberOption(complete, "learning_rate") * NumberOption(complete, "l2");
  if (product < 1) return {};
  return {"l2",
          fmt::format("l2: expected learning_rate·l2 below 1, found {} with l2 \"{}\" (lazy-fobos takes any)",
                      product, WordOption(complete, "l2"))};
}

std::unique_ptr<Learner> MakeLazySgd(const OptionValues& complete) {
  return MakeRowLearner<ElasticNet<SgdShrink>>(kLazySgdName, kElasticNetOptions, complete);
}

}  // namespace

LearnerSpec LazySgd() {
  return {.name = kLazySgdName,
          .summary = "gradient descent with elastic net, applied lazily to untouched weights",
          .source = "Lipton & Elkan 2015, Theorem 1",
          .cost = "O(nnz(x))",
          .options = kElasticNetOptions,
          .make = MakeLazySgd,
          .check = CheckFactor};
}

}  // namespace thresher::learners

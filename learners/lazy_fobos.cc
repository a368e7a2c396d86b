// Forward-backward splitting with lazy elastic net: Lipton & Elkan, "Efficient Elastic Net Regularization for
// Sparse Linear Models" (2015), Theorem 2; the method is Duchi & Singer's (2009).
//
// On the touched coordinates     w_j ← w_j − η L'(a,y) x_j
// then the proximal map on all   |w_j| ← max(|w_j| − ηλ1, 0)/(1 + ηλ2)
//
// paper                          here
// Φ(t) = ∏_{τ≤t} 1/(1 + η_τ λ2)  Shrinkage::scale (since the last rebase)
// β(t) = Σ_{τ≤t} η_τ/Φ(τ−1)      Shrinkage::shift/λ1
// ψ_j, the clock of weight j     not needed: u_j = |w_j|/Φ + λ1·β is stored when w_j is written
#include "learners/shrinkage/elastic_net.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

constexpr std::string_view kLazyFobosName = "lazy-fobos";

struct FobosShrink {
  static void Apply(Shrinkage& shrinkage, double rate_l1, double rate_l2) {
    shrinkage.Subtract(rate_l1);
    shrinkage.Divide(1 + rate_l2);
  }
};

std::unique_ptr<Learner> MakeLazyFobos(const OptionValues& complete) {
  return MakeRowLearner<ElasticNet<FobosShrink>>(kLazyFobosName, kElasticNetOptions, complete);
}

}  // namespace

LearnerSpec LazyFobos() {
  return {.name = kLazyFobosName,
          .summary =
              "gradient step, then the proximal map of the elastic net, applied lazily to untouched weights",
          .source = "Lipton & Elkan 2015, Theorem 2; Duchi & Singer 2009",
          .cost = "O(nnz(x))",
          .options = kElasticNetOptions,
          .make = MakeLazyFobos};
}

}  // namespace thresher::learners

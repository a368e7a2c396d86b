// FISTA: Beck & Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm" (2009), with their
// t_{k+1} = (1 + √(1 + 4t_k²))/2 and momentum (t_k − 1)/t_{k+1}. As t_k is close to (k + 2)/2, this uses the
// momentum (k − 1)/(k + 2), which has the same guarantee and needs no state (Chambolle & Dossal 2015, a = 2).
#include <array>

#include "learners/batch/accelerated_gradient.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kFistaName = "fista";

constexpr std::array kFistaOptions = {
    kSmoothLossOption,
    kGammaOption,
    BatchPenaltyOption("l1", "0.0001", kL1Help),
    BatchPenaltyOption("l2", "0", kL2Help),
};

std::unique_ptr<Solver> MakeFista(const Examples& examples, const OptionValues& complete, uint64_t /*seed*/,
                                  const Parallel& /*parallel*/) {
  return MakeAcceleratedGradient(examples, complete,
                                 [](double step, double /*curvature*/) { return (step - 1) / (step + 2); });
}

}  // namespace

SolverSpec Fista() {
  return {.name = kFistaName,
          .summary = "accelerated proximal gradient",
          .source = "Beck & Teboulle 2009",
          .cost = "2 O(nnz), and O(nnz) more per doubling of the curvature",
          .options = kFistaOptions,
          .make = MakeFista,
          .check = NeedsAPenalty};
}

}  // namespace thresher::learners::batch

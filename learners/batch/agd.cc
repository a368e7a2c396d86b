// Accelerated gradient descent for strongly convex objectives: Nesterov, "Introductory Lectures on Convex
// Optimization" (2004), Section 2.2.1, constant step scheme: momentum (√L − √λ2)/(√L + √λ2).
#include <array>
#include <cmath>

#include "learners/batch/accelerated_gradient.h"
#include "learners/batch/elastic_net_objective.h"
#include "learners/batch/solver_specs.h"

namespace thresher::learners::batch {
namespace {

constexpr std::string_view kAgdName = "agd";

constexpr std::array kAgdOptions = {
    kSmoothLossOption,
    kGammaOption,
    BatchPenaltyOption("l1", "0", kL1Help),
    BatchPenaltyOption("l2", "0.0001", kL2Help, false),
};

std::unique_ptr<Solver> MakeAgd(const Examples& examples, const OptionValues& complete, uint64_t /*seed*/,
                                const Parallel& /*parallel*/) {
  const double root = std::sqrt(NumberOption(complete, "l2"));
  return MakeAcceleratedGradient(examples, complete, [root](double /*step*/, double curvature) {
    return (std::sqrt(curvature) - root) / (std::sqrt(curvature) + root);
  });
}

}  // namespace

SolverSpec Agd() {
  return {.name = kAgdName,
          .summary = "accelerated gradient descent with the momentum of strong convexity",
          .source = "Nesterov 2004, Section 2.2.1; a baseline of Shalev-Shwartz & Zhang 2013",
          .cost = "2 O(nnz), and O(nnz) more per doubling of the curvature",
          .options = kAgdOptions,
          .make = MakeAgd};
}

}  // namespace thresher::learners::batch

#include "tests/learners/dense_twins.h"

#include "tests/learners/dense_twin_parts.h"

namespace thresher::learners {

double DenseTwin::Margin(const SparseVector& x) const {
  double sum = bias_;
  for (size_t i = 0; i < x.ids.size(); ++i) sum += weights_[x.ids[i]] * static_cast<double>(x.values[i]);
  return sum;
}

std::unique_ptr<DenseTwin> MakeDenseTwin(std::string_view learner, const OptionValues& complete,
                                         size_t dimension) {
  for (const TwinMakers& makers : {GradientTwins(), DualTwins(), ExpertTwins(), InteriorPointTwins()}) {
    if (const auto found = makers.find(learner); found != makers.end()) {
      return found->second(complete, dimension);
    }
  }
  return nullptr;
}

double TwinTolerance(std::string_view learner, const OptionValues& complete) {
  if (learner == "interior-point" && Is(complete, "form", "streaming")) return 1e-3;
  // Of rows of floats: a unit in the last place of z, where the penalty takes nearly all of z.
  if (learner == "adaptive-ftrl") return 2e-4;
  return 1e-9;
}

}  // namespace thresher::learners

// The slow, obvious form of every learner: its update as the paper writes it, over every coordinate at every
// step. Tests compare the lazy forms with it.
#pragma once

#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "learners/registry.h"

namespace thresher::learners {

class DenseTwin {
 public:
  virtual ~DenseTwin() = default;

  double Margin(const SparseVector& x) const;
  virtual void Learn(const SparseVector& x, Label label) = 0;

  const std::vector<double>& weights() const { return weights_; }
  double bias() const { return bias_; }

 protected:
  explicit DenseTwin(size_t dimension) : weights_(dimension) {}

  std::vector<double> weights_;
  double bias_ = 0;
};

// The twin of the learner of that name over features 0 … dimension−1. Null if none has been written.
std::unique_ptr<DenseTwin> MakeDenseTwin(std::string_view learner, const OptionValues& complete,
                                         size_t dimension);

// How far the learner's weights may be from the twin's, relative to the largest weight: rounding only, but
// for approximate learners.
double TwinTolerance(std::string_view learner, const OptionValues& complete);

}  // namespace thresher::learners

// A learner of the registry over a data set.
//
// Used by the experiments with online learners. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "learners/registry.h"
#include "learners/steps/array_model.h"
#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

class OnlineModel {
 public:
  // Over features 0 … width − 1. No example is passed over unless `options` say so.
  OnlineModel(std::string_view name, learners::OptionValues options, uint32_t width);

  double Score(const DataSet::Line& x) { return model_.Score(x.indices, x.values); }
  // `margin` is what Score gave, for the same x, since when nothing was learned.
  void Learn(const DataSet::Line& x, float target, double margin);

  std::vector<double> Weights() const;
  // Not zero, now. A pass over all rows.
  size_t Nonzeros() const;

 private:
  uint32_t width_;
  learners::ArrayModel<> model_;
};

}  // namespace thresher::reproduction

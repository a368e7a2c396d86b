// A learner of the registry over a data set: its rows in one array, by feature.
//
// Used by the experiments with online learners. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "learners/registry.h"
#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

class OnlineModel {
 public:
  // Over features 0 … width − 1. No example is passed over unless `options` say so.
  OnlineModel(std::string_view name, learners::OptionValues options, uint32_t width);

  double Score(const DataSet::Line& x);
  // `margin` is what Score gave, for the same x, since when nothing was learned.
  void Learn(const DataSet::Line& x, float target, double margin);

  std::vector<double> Weights() const;
  // Not zero, now. A pass over all rows.
  size_t Nonzeros() const;

 private:
  std::byte* RowOf(uint64_t feature);
  const std::byte* RowOf(uint64_t feature) const;
  learners::SparseVector Begin(const DataSet::Line& x);
  std::unique_ptr<learners::Derived> Derive() const;
  void Rebase();

  std::unique_ptr<learners::Learner> learner_;
  uint32_t width_;
  std::vector<uint64_t> rows_;
  std::vector<uint64_t> globals_;
  std::unique_ptr<learners::Derived> derived_;
  std::vector<uint64_t> ids_;          // of the present example
  std::vector<std::byte*> looked_up_;  // its rows
};

}  // namespace thresher::reproduction

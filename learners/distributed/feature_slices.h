// What solvers with the features divided among processes share: every part has its own slice of each vector
// over features, and sums over features are sums over parts.
//
// Used by the solvers of this folder. Thread-safety: one thread in each process.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "learners/distributed/solver.h"
#include "learners/distributed/tree_sum.h"

namespace thresher::learners::distributed {

class FeatureSlices {
 public:
  explicit FeatureSlices(const Share& share)
      : share_(share),
        rows_(share.group, share.parts, share.examples),
        whole_(share.group, share.parts, share.features) {}

  // What own part k has of a vector of all features.
  std::span<double> SliceOf(size_t k, std::vector<double>& of_all) const {
    const size_t first = FirstOf(k);
    return std::span(of_all).subspan(first, share_.FirstFeatureOf(share_.first() + k + 1) - first);
  }

  // (*sums)[i] = Σ over all parts of of_row(part, i), i a row
  template <class OfRow>
  void SumRows(const OfRow& of_row, std::vector<double>* sums) {
    sums->resize(share_.examples);
    for (const batch::Examples& part : share_.own) {
      for (size_t i = 0; i < sums->size(); ++i) (*sums)[i] = of_row(part, i);
      rows_.Add(*sums);
    }
    rows_.Finish(*sums);
  }

  // (*of_all)[j] = of_feature(j), which the part that has the feature knows.
  template <class OfFeature>
  void Gather(const OfFeature& of_feature, std::vector<double>* of_all) {
    for (size_t k = 0; k < share_.own.size(); ++k) {
      std::ranges::fill(*of_all, 0);
      const std::span<double> slice = SliceOf(k, *of_all);
      for (size_t j = 0; j < slice.size(); ++j) slice[j] = of_feature(FirstOf(k) + j);
      whole_.Add(*of_all);
    }
    whole_.Finish(*of_all);
  }

 private:
  size_t FirstOf(size_t k) const { return share_.FirstFeatureOf(share_.first() + k); }

  const Share& share_;
  TreeSum rows_;
  TreeSum whole_;
};

}  // namespace thresher::learners::distributed

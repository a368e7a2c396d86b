// The magnitudes of all live rows of a model, as the rows store them: the derived state of whole-model
// learners.
//
// Kept in a tree while steps change few of them, in an array of runs while steps change many. The current
// form is a function of the changes so far. It is part of the learner's state, because the sums of the two
// forms may differ in the last bit. Used by l1_ball.cc and smidas.cc. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/learner.h"
#include "learners/magnitudes/magnitude_runs.h"
#include "learners/magnitudes/magnitude_tree.h"

namespace thresher::learners {

class Magnitudes final : public Derived {
 public:
  // Empty; starts as a tree or as runs.
  explicit Magnitudes(bool is_tree) : is_tree_(is_tree) {}

  // Add and Remove take effect with the next Apply or Build.
  void Add(double value) { Change(value, 1); }
  void Remove(double value) { Change(value, -1); }
  void Apply();
  // The first Apply: keeps the form given to the constructor.
  void Build();

  // As in MagnitudeRuns.
  void DropUpTo(double shift);
  double Threshold(double shift, double radius) const {
    return is_tree_ ? tree_.Threshold(shift, radius) : runs_.Threshold(shift, radius);
  }
  uint64_t count() const { return is_tree_ ? tree_.count() : runs_.count(); }
  double sum() const { return is_tree_ ? tree_.sum() : runs_.sum(); }
  size_t distinct() const { return is_tree_ ? tree_.distinct() : runs_.distinct(); }
  template <class Visit>
  void ForEachDescending(Visit visit) const {
    is_tree_ ? tree_.ForEachDescending(visit) : runs_.ForEachDescending(visit);
  }

  bool is_tree() const { return is_tree_; }

 private:
  void Change(double value, int32_t copies) {
    if (changes_.empty() || changes_.back().value != value) changes_.push_back({.value = value});
    changes_.back().copies += copies;
  }
  void CombineChanges();
  void ChangeFormIfCheaper();
  void Assign(bool is_tree, std::span<const MagnitudeRun> all);
  std::vector<MagnitudeRun> All() const;

  bool is_tree_;
  MagnitudeTree tree_;  // of tree_ and runs_, one is empty
  MagnitudeRuns runs_;
  std::vector<MagnitudeRun> changes_;
};

}  // namespace thresher::learners

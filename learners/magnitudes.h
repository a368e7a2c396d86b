// The magnitudes of all live rows of a model, as stored in the rows: what a learner derives whose step
// depends on all of them at once.
//
// A tree where a step changes few of them, an array of runs where it changes many: which of the two is a
// function of what has been asked for so far, and part of the learner's state, because their sums may differ
// in the last bit. Used by l1_ball.cc and smidas.cc. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/learner.h"
#include "learners/magnitude_runs.h"
#include "learners/magnitude_tree.h"

namespace thresher::learners {

class Magnitudes final : public Derived {
 public:
  // Without any yet, to begin as a tree or as runs.
  explicit Magnitudes(bool is_tree) : is_tree_(is_tree) {}

  // One more, and one less; as of the next Apply or Build.
  void Add(double value) { Change(value, 1); }
  void Remove(double value) { Change(value, -1); }
  void Apply();
  // Apply for the first time: keeps to the form it was made in.
  void Build();

  // As in MagnitudeTree.
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
  MagnitudeTree tree_;  // one of them is empty
  MagnitudeRuns runs_;
  std::vector<MagnitudeRun> changes_;
};

}  // namespace thresher::learners

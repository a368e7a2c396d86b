#include "learners/magnitudes/magnitudes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace thresher::learners {

// Sorts the changes, largest first, joins equal values and drops changes that cancel.
void Magnitudes::CombineChanges() {
  std::ranges::sort(changes_, std::greater(), &MagnitudeRun::value);
  size_t kept = 0;
  for (size_t i = 0; i < changes_.size();) {
    MagnitudeRun combined = changes_[i++];
    while (i < changes_.size() && changes_[i].value == combined.value)
      combined.copies += changes_[i++].copies;
    if (combined.copies != 0) changes_[kept++] = combined;
  }
  changes_.resize(kept);
}

std::vector<MagnitudeRun> Magnitudes::All() const {
  std::vector<MagnitudeRun> all;
  all.reserve(distinct());
  ForEachDescending([&](double value, int32_t copies) {
    all.push_back({.value = value, .copies = copies});
    return true;
  });
  return all;
}

void Magnitudes::Assign(bool is_tree, std::span<const MagnitudeRun> all) {
  is_tree_ = is_tree;
  tree_.Assign(is_tree ? all : std::span<const MagnitudeRun>());
  runs_.Assign(is_tree ? std::span<const MagnitudeRun>() : all);
}

void Magnitudes::Build() {
  CombineChanges();
  Assign(is_tree_, changes_);
  changes_.clear();
}

// Only if the other form is twice as cheap, so that it does not switch back and forth.
void Magnitudes::ChangeFormIfCheaper() {
  constexpr double kTreeLevel = 7;  // cost of a change per tree level, in units of the cost of reading a run
  const auto runs = static_cast<double>(distinct());
  const double in_tree = kTreeLevel * static_cast<double>(changes_.size()) * std::log2(runs + 2);
  if (is_tree_ ? in_tree > 2 * runs : 2 * in_tree < runs) Assign(!is_tree_, All());
}

void Magnitudes::Apply() {
  CombineChanges();
  ChangeFormIfCheaper();
  is_tree_ ? tree_.Apply(changes_) : runs_.Apply(changes_);
  changes_.clear();
}

void Magnitudes::DropUpTo(double shift) { is_tree_ ? tree_.DropUpTo(shift) : runs_.DropUpTo(shift); }

}  // namespace thresher::learners

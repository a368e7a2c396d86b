#include "learners/magnitudes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace thresher::learners {

// Distinct, largest first, without those that cancel.
void Magnitudes::CombineChanges() {
  std::ranges::sort(changes_, std::greater(), &MagnitudeChange::value);
  size_t kept = 0;
  for (size_t i = 0; i < changes_.size();) {
    MagnitudeChange combined = changes_[i++];
    while (i < changes_.size() && changes_[i].value == combined.value)
      combined.copies += changes_[i++].copies;
    if (combined.copies != 0) changes_[kept++] = combined;
  }
  changes_.resize(kept);
}

std::vector<MagnitudeRun> Magnitudes::All() const {
  std::vector<MagnitudeRun> all;
  all.reserve(distinct());
  ForEachDescending([&](double value, uint32_t copies) {
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
  std::vector<MagnitudeRun> all;
  all.reserve(changes_.size());
  for (const MagnitudeChange& change : changes_) {
    all.push_back({.value = change.value, .copies = static_cast<uint32_t>(change.copies)});
  }
  changes_.clear();
  Assign(is_tree_, all);
}

// Twice as cheap, so that it does not go to and fro.
void Magnitudes::ChangeFormIfCheaper() {
  constexpr double kTreeLevel = 10;  // cost of a change at one level of the tree, in that of passing a run
  const auto runs = static_cast<double>(distinct());
  const double in_tree = kTreeLevel * static_cast<double>(changes_.size()) * std::log2(runs + 2);
  if (is_tree_ ? in_tree > 2 * runs : 2 * in_tree < runs) Assign(!is_tree_, All());
}

void Magnitudes::Apply() {
  CombineChanges();
  ChangeFormIfCheaper();
  if (!is_tree_) {
    runs_.Apply(changes_);
  } else {
    for (const MagnitudeChange& change : changes_) {
      const auto copies = static_cast<uint32_t>(std::abs(change.copies));
      const MagnitudeRun run = {.value = change.value, .copies = copies};
      change.copies > 0 ? tree_.Add(run) : tree_.Remove(run);
    }
  }
  changes_.clear();
}

void Magnitudes::DropUpTo(double shift) { is_tree_ ? tree_.DropUpTo(shift) : runs_.DropUpTo(shift); }

}  // namespace thresher::learners

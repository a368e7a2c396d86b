#include "learners/magnitudes/magnitude_runs.h"

#include <algorithm>

namespace thresher::learners {
namespace {

bool AnyWeighted(std::span<const MagnitudeRun> runs) {
  return std::ranges::any_of(runs, [](const MagnitudeRun& run) { return run.weight != 1; });
}

}  // namespace

void MergeRuns(std::span<const MagnitudeRun> runs, std::span<const MagnitudeRun> changes,
               std::vector<MagnitudeRun>* merged) {
  merged->resize(runs.size() + changes.size());
  const MagnitudeRun* run = runs.data();
  const MagnitudeRun* const end = run + runs.size();
  MagnitudeRun* next = merged->data();
  for (const MagnitudeRun& change : changes) {
    while (run != end && IsBefore(*run, change)) *next++ = *run++;
    int32_t copies = change.copies;
    if (run != end && IsSame(*run, change)) copies += run++->copies;
    if (copies != 0) *next++ = {.value = change.value, .weight = change.weight, .copies = copies};
  }
  next = std::copy(run, end, next);
  merged->resize(static_cast<size_t>(next - merged->data()));
}

void MagnitudeRuns::SumUp() {
  CompensatedSum sum;
  CompensatedSum mass;
  if (is_weighted_) {
    for (const MagnitudeRun& run : runs_) {
      sum.Add(run.value * run.Mass());
      mass.Add(run.Mass());
    }
  } else {
    uint64_t copies = 0;
    for (const MagnitudeRun& run : runs_) {
      sum.Add(run.value * run.copies);
      copies += static_cast<uint64_t>(run.copies);
    }
    mass.sum = static_cast<double>(copies);
  }
  sum_ = sum;
  mass_ = mass;
}

void MagnitudeRuns::Assign(std::span<const MagnitudeRun> runs) {
  is_weighted_ = AnyWeighted(runs);
  runs_.assign(runs.begin(), runs.end());
  SumUp();
}

void MagnitudeRuns::Apply(std::span<const MagnitudeRun> changes) {
  is_weighted_ = is_weighted_ || AnyWeighted(changes);
  std::swap(runs_, before_);
  MergeRuns(before_, changes, &runs_);
  SumUp();
}

void MagnitudeRuns::DropUpTo(double shift) {
  while (!runs_.empty() && runs_.back().value <= shift) {
    sum_.Add(-runs_.back().value * runs_.back().Mass());
    mass_.Add(-runs_.back().Mass());
    runs_.pop_back();
  }
}

// Removes the smallest numbers while they are below the threshold of the others.
double MagnitudeRuns::Threshold(double shift, double radius) const {
  CompensatedSum sum = sum_;
  CompensatedSum mass = mass_;
  size_t left = runs_.size();
  for (; left > 0; --left) {
    const MagnitudeRun& smallest = runs_[left - 1];
    if (sum.sum - mass.Value() * smallest.value + sum.error < radius) break;
    sum.Add(-smallest.value * smallest.Mass());
    mass.Add(-smallest.Mass());
  }
  if (left == 0) return shift;
  sum.Add(-radius);
  return std::max(shift, sum.Value() / mass.Value());
}

}  // namespace thresher::learners

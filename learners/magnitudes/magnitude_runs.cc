#include "learners/magnitudes/magnitude_runs.h"

#include <algorithm>

namespace thresher::learners {

void MergeRuns(std::span<const MagnitudeRun> runs, std::span<const MagnitudeRun> changes,
               std::vector<MagnitudeRun>* merged) {
  merged->resize(runs.size() + changes.size());
  const MagnitudeRun* run = runs.data();
  const MagnitudeRun* const end = run + runs.size();
  MagnitudeRun* next = merged->data();
  for (const MagnitudeRun& change : changes) {
    while (run != end && run->value > change.value) *next++ = *run++;
    int32_t copies = change.copies;
    if (run != end && run->value == change.value) copies += run++->copies;
    if (copies != 0) *next++ = {.value = change.value, .copies = copies};
  }
  next = std::copy(run, end, next);
  merged->resize(static_cast<size_t>(next - merged->data()));
}

void MagnitudeRuns::SumUp() {
  CompensatedSum sum;
  uint64_t count = 0;
  for (const MagnitudeRun& run : runs_) {
    sum.Add(run.value * run.copies);
    count += static_cast<uint64_t>(run.copies);
  }
  sum_ = sum;
  count_ = count;
}

void MagnitudeRuns::Assign(std::span<const MagnitudeRun> runs) {
  runs_.assign(runs.begin(), runs.end());
  SumUp();
}

void MagnitudeRuns::Apply(std::span<const MagnitudeRun> changes) {
  std::swap(runs_, before_);
  MergeRuns(before_, changes, &runs_);
  SumUp();
}

void MagnitudeRuns::DropUpTo(double shift) {
  while (!runs_.empty() && runs_.back().value <= shift) {
    sum_.Add(-runs_.back().value * runs_.back().copies);
    count_ -= static_cast<uint64_t>(runs_.back().copies);
    runs_.pop_back();
  }
}

// Removes the smallest numbers while they are below the threshold of the others.
double MagnitudeRuns::Threshold(double shift, double radius) const {
  CompensatedSum sum = sum_;
  uint64_t count = count_;
  for (size_t left = runs_.size(); left > 0; --left) {
    const MagnitudeRun& smallest = runs_[left - 1];
    const auto copies = static_cast<double>(count);
    if (sum.sum - copies * smallest.value + sum.error < radius) break;
    sum.Add(-smallest.value * smallest.copies);
    count -= static_cast<uint64_t>(smallest.copies);
  }
  if (count == 0) return shift;
  sum.Add(-radius);
  return std::max(shift, sum.Value() / static_cast<double>(count));
}

}  // namespace thresher::learners

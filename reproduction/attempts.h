// All runs of a method that was tried with several schedules and step sizes: the best one differs between a
// method's first steps and its last.
//
// Used by the experiments that compare methods of which the paper says that one is fast at the start.
// Thread-safety: pure functions and plain values.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "learners/rule/schedule.h"
#include "reproduction/report.h"
#include "reproduction/step_sizes.h"

namespace thresher::reproduction {

struct Attempt {
  learners::Schedule schedule;
  Series series;  // a loss over the work done
};

// By what the best is chosen: the loss when so much work is done, and the work until the loss is so small.
struct Aims {
  std::vector<double> works = {};
  std::vector<double> losses = {};
};

class Attempts {
 public:
  using Run = std::function<Series(const learners::Schedule&)>;

  // `sizes` are those to try first. For each schedule the search goes on until, for each aim, a worse step
  // size was tried on either side of the best.
  Attempts(std::span<const learners::Schedule::Kind> kinds, const StepSizes& sizes, const Aims& aims,
           const Run& run);

  // In the order in which they were run.
  const std::vector<Attempt>& all() const { return all_; }
  // The number of the attempt with the least loss at that work: the last one at or before it.
  size_t BestAt(double work) const;
  // The number of the attempt that is first at that loss, and the work until then, which is not a number if
  // none comes there.
  size_t FirstAt(double loss) const;
  double WorkTo(double loss) const;
  // The least loss at each work of the first attempt, whose works are those of all.
  Series Envelope(const std::string& name) const;

 private:
  void Search(learners::Schedule::Kind kind, const StepSizes& sizes, const Aims& aims, const Run& run);

  std::vector<Attempt> all_;
};

// The least x with y ≤ loss; not a number if there is none.
double WorkUntil(const Series& series, double loss);

}  // namespace thresher::reproduction

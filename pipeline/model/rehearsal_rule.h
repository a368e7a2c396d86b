// Which earlier examples are learned again after an example, and in what order.
//
// An online learner takes one step per example. Rehearsal scores a few earlier examples again and takes a
// step on those whose margin has become small (experience replay: Lin 1992; relaxed online SVM: Sculley and
// Wachman 2007). What the rest of the model contradicts is left out, as its label may be wrong.
//
// A class that is taught alone, as from an archive sorted by class, pulls what all mail has in common to its
// side. Then every example is kept in mind and followed by examples of the other class in turn, so that the
// order in which the classes are taught matters little.
//
// What is drawn depends on the numbers of the examples and on the memory only, so it is the same when the log
// is applied again. Used by rehearsal.h, and by what learns without a store. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>

#include "learners/learner.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/error.h"
#include "pipeline/model/rehearsal_memory.h"
#include "pipeline/model/taught.h"

namespace thresher::pipeline {

// An example that was learned just now.
struct JustLearned {
  RehearsalMemory::Entry entry;
  Label label = Label::kHam;
  bool updated = false;  // it changed weights
};

// An earlier example that is to be learned again, unless the model contradicts it.
struct Rehearsed {
  RehearsalMemory::Entry entry;
  Label label = Label::kHam;
  double mistrust = 0;

  bool IsContradictedBy(double margin) const { return margin * static_cast<double>(label) < -mistrust; }
};
using LearnAgain = std::function<Result<void>(const Rehearsed& earlier)>;

// Adds the example to the memory if it belongs there, and calls `learn_again` for what is to follow it.
// `taught` counts the example already.
Result<void> Rehearse(const learners::RehearsalOptions& options, const TaughtCounts& taught,
                      const JustLearned& example, RehearsalMemory& memory, const LearnAgain& learn_again);

}  // namespace thresher::pipeline

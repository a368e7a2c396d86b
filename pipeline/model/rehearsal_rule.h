// Whether an example is learned at once, and which earlier examples are learned again after it.
//
// An online learner takes one step per example. Rehearsal scores a few earlier examples again and takes a
// step on those whose margin has become small (experience replay: Lin 1992; relaxed online SVM: Sculley and
// Wachman 2007). What the rest of the model contradicts is left out, as its label may be wrong.
//
// A class that is taught alone, as from an archive sorted by class, pulls what all mail has in common to its
// side. So the examples of an archive wait while they are of one class: that class alone can tell nothing.
// Then each example of the other class is followed by some of those that wait, as if the two had come in
// turn. When none wait any more and the class goes on alone, each of its examples is followed by earlier ones
// of the other. So is a message that is taught because its verdict was wrong: it may take a longer step
// (learners/ftrl/step_length.h), and what it has in common with the other class must not change sides.
//
// What is drawn depends on the numbers of the examples and on the memory only, so it is the same when the log
// is applied again. Used by rehearsal.h, and by bench/choose, which has no store. Thread-safety: pure
// functions.
#pragma once

#include <cstdint>
#include <functional>

#include "learners/learner.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/error.h"
#include "pipeline/model/rehearsal_memory.h"
#include "pipeline/model/taught.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// What is done with an example when it is taught.
struct Plan {
  bool waits = false;  // it is not learned yet, as the other class is not known
  learners::Occasion occasion = learners::Occasion::kNew;  // else what it is to the learner
};

// An example that was taught just now.
struct JustTaught {
  RehearsalMemory::Entry entry;
  Label label = Label::kHam;
  uint8_t turns = 1;        // evidence.h
  bool waits = false;       // Plan
  bool updated = false;     // it changed weights
  bool as_mistake = false;  // it was learned as a mistake (learners::Occasion)
};

// An earlier example that is to be learned, unless the model contradicts it.
struct Rehearsed {
  RehearsalMemory::Entry entry;
  Label label = Label::kHam;
  double mistrust = 0;
  learners::Occasion occasion = learners::Occasion::kAgain;

  bool IsContradictedBy(double margin) const { return margin * static_cast<double>(label) < -mistrust; }
};
using LearnEarlier = std::function<Result<void>(const Rehearsed& earlier)>;

// The size of an example with these features: for each 16 bytes (id, value, end of text) and its text, as in
// memory while it is learned. It takes less in a log of features. In a log of messages it takes what its
// message does; but with both, a memory must have the same examples. At most the largest uint32_t.
uint32_t RehearsedBytes(const tokenizer::Features& features);

// In both of these `taught` counts the example already.

// To be asked before the example is learned.
Plan PlanOf(const learners::RehearsalOptions& options, const TaughtCounts& taught,
            const RehearsalMemory& memory, const Teaching& teaching);

// To be called after it: adds the example to the memory if it belongs there, and calls `learn_earlier` for
// what is to follow it. Nothing follows where options.draws is 0.
Result<void> Rehearse(const learners::RehearsalOptions& options, const TaughtCounts& taught,
                      const JustTaught& example, RehearsalMemory& memory, const LearnEarlier& learn_earlier);

}  // namespace thresher::pipeline

// Learns some earlier examples again after an example that changed weights.
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
// is applied again. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>

#include "pipeline/error.h"
#include "pipeline/model/follow_up.h"
#include "pipeline/model/rehearsal_memory.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

class Rehearsal final : public FollowUp {
 public:
  // `state` must outlive it.
  explicit Rehearsal(ModelState& state) : state_(&state) {}

  Result<void> OnLogged(const storage::Example& example) override;
  Afterwards OnLesson(const Lesson& lesson) override;

 private:
  Result<void> Rehearse(uint64_t seq, WeightUpdates& weights) const;
  Result<void> RehearseOtherClass(learners::Label label, WeightUpdates& weights) const;
  Result<void> LearnAgain(const RehearsalMemory::Entry& earlier, learners::Label label, double mistrust,
                          WeightUpdates& weights) const;

  ModelState* state_;
  uint64_t message_ = 0;  // of the example logged last
};

}  // namespace thresher::pipeline

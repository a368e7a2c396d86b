// Gives a model weights that were found elsewhere, and teaches it the examples that came after.
//
// Called by Model; pipeline/fit makes the weights. Leaves a model in memory that is not checkpointed yet:
// readers and a crash find it as it was. If it fails, the model in memory is of no use. Thread-safety: one
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

// Weights found elsewhere.
struct Installation {
  std::vector<uint64_t> ids;
  std::vector<learners::FittedWeight> weights;  // of each id
  uint64_t through_seq = 0;
};

// As if the model's learner had come to these weights by the examples up to through_seq, and had learned
// those after, without corrections and rehearsals. What each of these is to the learner follows from the
// counts of the whole log. The calibration begins anew: margins of examples that
// weights were fitted to are larger than those of mail to come. Features whose text is not known any more are
// left out; returns how many. REQUIRES: learner().CanWarmStart().
Result<uint64_t> TakeWeights(ModelState& state, const Installation& installation);

}  // namespace thresher::pipeline

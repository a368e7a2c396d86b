// Makes a model again from its log, taught from the start.
//
// Called by Model. Leaves a model in memory that is not checkpointed yet: readers and a crash find it as it
// was. If it fails, the model in memory is of no use. Thread-safety: one thread.
#pragma once

#include <memory>
#include <optional>

#include "learners/learner.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/error.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/log_applier.h"
#include "pipeline/model/state.h"
#include "storage/database.h"

namespace thresher::pipeline {

enum class LabelsToLearn {
  kAsTaught,   // every example, mistakes and corrections too
  kCorrected,  // each message once, as if its last label had been its first
};

// Those of the last rebuild, by what a model records; kAsTaught if there was none.
LabelsToLearn LabelsLearned(const storage::Meta& meta);

// As if it had been taught by `learner`, with this rehearsal and these features (nothing: its own), from the
// start, or from the first example that has not expired.
Result<void> RebuildWeights(ModelState& state, std::unique_ptr<learners::Learner> learner,
                            const learners::RehearsalOptions& rehearsal, LabelsToLearn labels,
                            const OnApplied& on_applied, const std::optional<OtherFeatures>& features);

}  // namespace thresher::pipeline

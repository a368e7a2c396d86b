// Installs fitted weights in a model, with the counts and gradients that its learner continues from, and with
// a calibration.
//
// Called by the fit command. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <span>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/model/model.h"

namespace thresher::pipeline {

// An error (kConfig) if the learner cannot continue from weights.
Result<void> CheckCanInstall(const learners::Learner& learner);

// Replaces the model's weights by ones fitted to its own examples. Returns how many had to be left out
// (TakeWeights). An error (kData) if the examples are of another model, for instance one that it replaced.
Result<uint64_t> Install(const StoredExamples& examples, std::span<const double> weights, Model& model);

// `weights` has one number for each column of `examples`, which are the model's examples up to `through_seq`.
// Calibrates probabilities on the margins of these examples, in their order. REQUIRES: targets ±1.
Installation InstallationOf(const ExampleStore& examples, std::span<const double> weights,
                            uint64_t through_seq);

}  // namespace thresher::pipeline

// Fitted weights as a model takes them over: with the counts and gradients that its learner goes on from, and
// a calibration.
//
// Called by the fit command. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <span>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/model.h"

namespace thresher::pipeline {

// An error (kConfig) of a learner that cannot go on from weights.
Result<void> CheckCanInstall(const learners::Learner& learner);

// Makes the weights, fitted to what the model was taught, the model's. Returns how many had to be left out
// (Model::Install). An error (kData) if the examples are of another model, say one that took its place.
Result<uint64_t> Install(const StoredExamples& examples, std::span<const double> weights, Model& model);

// `weights` has one number for each column of `examples`, which are what the model was taught up to
// `through_seq`. Probabilities are calibrated on the margins of these very examples, in their order.
// REQUIRES: targets ±1.
Model::Installation InstallationOf(const ExampleStore& examples, std::span<const double> weights,
                                   uint64_t through_seq);

}  // namespace thresher::pipeline

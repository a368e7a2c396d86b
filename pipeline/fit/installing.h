// Fitted weights as a model takes them over: with the counts and gradients that its learner goes on from, and
// a calibration.
//
// Called by the fit command, for Model::Install. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "pipeline/fit/example_store.h"
#include "pipeline/model.h"

namespace thresher::pipeline {

// `weights` has one number for each column of `examples`, which are what the model was taught up to
// `through_seq`. Probabilities are calibrated on the margins of these very examples, in their order.
// REQUIRES: targets ±1.
Model::Installation InstallationOf(const ExampleStore& examples, std::span<const double> weights,
                                   uint64_t through_seq);

}  // namespace thresher::pipeline

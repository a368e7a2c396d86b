// Installs fitted weights in a model, with the counts and gradients that its learner continues from.
//
// Called by the fit command, after a trial (trial.h). Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/fit/example_source.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/model.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// An error (kConfig) if the learner cannot continue from weights.
Result<void> CheckCanInstall(const learners::Learner& learner);

// Replaces the model's weights by ones fitted to its own examples. Returns how many had to be left out
// (TakeWeights). An error (kData) as from CheckSameExamples.
Result<uint64_t> Install(const StoredExamples& examples, std::span<const double> weights, Model& model);

// `weights` has one number for each column of `examples`, which are the model's examples up to `through_seq`.
// REQUIRES: targets ±1.
Installation InstallationOf(const ExampleStore& examples, std::span<const double> weights,
                            uint64_t through_seq);

// What the model in `dir` would know besides its weights, had some just been installed in it. As of its last
// checkpoint.
Result<ModelGlobals> GlobalsOnceInstalled(const std::filesystem::path& dir, const Settings& settings);

// The scores of `examples` by a model with these globals in which these weights were just installed.
std::vector<Score> ScoresOf(const ExampleStore& examples, std::span<const double> weights,
                            const ModelGlobals& installed);

}  // namespace thresher::pipeline

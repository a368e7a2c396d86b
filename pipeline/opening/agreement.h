// What settings ask of a model, compared with what the model records.
//
// A model's record wins over defaults and configuration file, but not silently over a setting that the
// command line named: that is an error (kConfig) that says both. Used by opening.h, import and rebuild.
// Thread-safety: pure functions but for the seed.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "learners/learner.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/error.h"
#include "pipeline/model/identity.h"
#include "pipeline/settings/settings.h"
#include "storage/database.h"

namespace thresher::pipeline {

// What a new model records: as `settings` say, with a random seed.
Result<storage::Meta> NewMeta(const Settings& settings);

// Random; for a model that was made without one.
std::string NewKeySecret();

// Whether the model is opened to be made again from its log: then the command line may name another learner
// than the recorded one. If the log holds messages, it may name other features, and the tokenizer may be
// another.
enum class Remake { kNo, kYes };

// Reads what a model records; an error (kConfig) if the command line asks for something else. The tokenizer's
// limits are those of `settings` unless the model records its own.
Result<ModelIdentity> ReadCheckedIdentity(const storage::Meta& meta, const Settings& settings,
                                          Remake remake = Remake::kNo);

// The learner with which a model of learner `recorded` is made again: that of a new model if the command line
// names a preset. Else what it does not name stays as it is, but another learner begins with its own
// defaults.
Result<std::unique_ptr<learners::Learner>> WantedLearner(const Settings& settings,
                                                         const learners::Learner& recorded);
// The same for its rehearsal.
learners::RehearsalOptions WantedRehearsal(const Settings& settings, const ModelIdentity& recorded);
// The same for its features; nothing if they stay, as those of a log of features do. What the log left out of
// its messages, features.ignore_headers, stays.
std::optional<OtherFeatures> WantedFeatures(const Settings& settings, const ModelIdentity& recorded);

}  // namespace thresher::pipeline

// What settings ask of a model, compared with what the model records.
//
// A model's record wins over defaults and configuration file, but not silently over a setting that the
// command line named: that is an error (kConfig) that says both. Used by opening.h, in_force.cc and import.
// Thread-safety: pure functions but for the seed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "learners/learner.h"
#include "learners/options.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/error.h"
#include "pipeline/model/identity.h"
#include "pipeline/settings/settings.h"
#include "storage/database.h"

namespace thresher::pipeline {

// `settings`, but what a model records is that of the model.
Settings AsRecorded(Settings settings, const ModelIdentity& recorded);

// What a new model records: as `settings` say, with a random seed.
Result<storage::Meta> NewMeta(const Settings& settings);

// Random; for a model that was made without one.
std::string NewKeySecret();

// Reads what a model records. The tokenizer's limits are those of `settings` unless the model records its
// own.
Result<ModelIdentity> ReadIdentity(const storage::Meta& meta, const Settings& settings,
                                   Remake remake = Remake::kNo);
// The same; an error (kConfig) if the command line asks for something else.
Result<ModelIdentity> ReadCheckedIdentity(const storage::Meta& meta, const Settings& settings,
                                          Remake remake = Remake::kNo);

// "l1=1e-06, not 1e-05; …": the options of a learner whose values differ from those of `others`, whose values
// `word` introduces.
std::string Differences(const learners::OptionValues& values, const learners::OptionValues& others,
                        std::string_view word);

// What a model is made again with.
struct Remaking {
  std::unique_ptr<learners::Learner> learner;
  learners::RehearsalOptions rehearsal;
  std::optional<OtherFeatures> features;  // nothing: its own
};
// That of a new model if the command line names a preset. Else what it does not name stays as it is, but
// another learner begins with its own defaults. Features of a log of features stay, and so does what a log of
// messages left out of them, features.ignore_headers.
Result<Remaking> WantedRemaking(const Settings& settings, const ModelIdentity& recorded);
// Whether the settings ask for other features than those of the model, of whose log none can be made.
bool KeepsFeatures(const Settings& settings, const ModelIdentity& recorded);
// Where the configuration file names a preset, if that on the command line would have led to another
// Remaking than `wanted`. Else null.
const Settings::Named* PresetNotUsed(const Settings& settings, const ModelIdentity& recorded,
                                     const Remaking& wanted);

}  // namespace thresher::pipeline

// What a model was made with, and keeps for life: tokenizer version, features, seed, learner and its options.
//
// Recorded in the store's meta family when the model is made, read when it is opened. Used by Model.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "learners/learner.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "storage/database.h"
#include "tokenizer/options.h"

namespace thresher::pipeline {

struct ModelIdentity {
  tokenizer::Options features;  // with the limits of the present settings, which a model does not record
  uint64_t seed = 0;
  std::shared_ptr<const learners::Learner> learner;  // shared with those that score beside the model
};

// The record of a new model: as `settings` say, with a random seed. The learner's options are recorded
// complete, so that a later change of a default leaves existing models alone.
Result<storage::Meta> NewIdentity(const Settings& settings);

// The record with another learner.
storage::Meta WithLearner(storage::Meta meta, const learners::Learner& learner);

// The learner that `settings` ask for where a model of learner `recorded` stands: what the command line does
// not name stays as it is, but another learner begins with its own defaults.
Result<std::unique_ptr<learners::Learner>> WantedLearner(const Settings& settings,
                                                         const learners::Learner& recorded);

// Reads the record. It wins over defaults and configuration file, but not silently over a setting that the
// command line named: that is an error (kConfig) that says both.
Result<ModelIdentity> ReadIdentity(const storage::Meta& meta, const Settings& settings);

// "the store is corrupt: WHAT; …", kData.
Error CorruptStore(std::string_view what);

}  // namespace thresher::pipeline

// Teaching one message: what `learn` and `feedback` share.
#pragma once

#include "pipeline/error.h"
#include "pipeline/model.h"
#include "pipeline/settings/settings.h"
#include "pipeline/spool.h"

namespace thresher::pipeline {

enum class Teaching {
  kNew,        // taught for the first time
  kCorrected,  // had been taught under the other label; taught once more, under this one
  kKnown,      // had been taught under this label: nothing was done
};

// Idempotent per key and label. `streamed`: it is one of all that come in, each taught whatever its verdict
// was. The features kept in the spool for this message, if any, are no longer needed and removed.
Result<Teaching> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                       const tokenizer::MessageKey& key, bool streamed = false);

// How `learn` and `feedback` open a model.
Model::WriteAccess TeachingAccess(const Settings& settings);

// The spool of the model that `settings` name; `id_space` is that model's.
Spool SpoolOf(const Settings& settings, const tokenizer::IdSpace& id_space);

}  // namespace thresher::pipeline

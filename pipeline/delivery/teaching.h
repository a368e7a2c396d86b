// Teaching one message to a model.
//
// Called by `learn` and `feedback`. Thread-safety: one thread.
#pragma once

#include "pipeline/delivery/spool.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"

namespace thresher::pipeline {

enum class TeachResult {
  kNew,        // taught for the first time
  kCorrected,  // was taught under the other label before; now under this one
  kKnown,      // was taught under this label before; nothing is done
};

// Idempotent per key and label. `streamed`: every message of the stream is taught, whatever its verdict was.
// Removes this message's features from the spool, if there are any.
Result<TeachResult> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKey& key, bool streamed = false);

}  // namespace thresher::pipeline

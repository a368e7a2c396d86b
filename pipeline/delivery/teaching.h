// Teaching one message to a model.
//
// Called by `learn` and `feedback`. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipeline/delivery/spool.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"

namespace thresher::pipeline {

enum class TeachResult {
  kNew,        // taught for the first time
  kCorrected,  // was taught under the other label before; now under this one
  kKnown,      // was taught under this label before; nothing is done
  kChanged,    // the same, but with other features: most of its headers were others; learned again
};
inline constexpr size_t kTeachResults = 4;

struct Circumstances {
  bool streamed = false;  // every message of the stream is taught, whatever its verdict was
  uint8_t turns = 1;      // taught.h
};

// Idempotent per message and label. Removes this message's features from the spool, if there are any.
Result<TeachResult> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKeys& keys, const Circumstances& circumstances = {});

}  // namespace thresher::pipeline

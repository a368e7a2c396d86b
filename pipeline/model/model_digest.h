// A short text that is the same for two models exactly if they have learned the same, to the bit.
//
// Of the live rows, the globals and the number of examples; not of what is only kept, such as prunable rows.
// Used by Model. Thread-safety: as ModelState.
#pragma once

#include <string>

#include "pipeline/error.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

// "120 examples, 0123456789abcdef"; empty if it was taught nothing. Brings the whole model into memory.
Result<std::string> DigestOf(ModelState& state);

}  // namespace thresher::pipeline

// Byte 4-grams of raw bytes: what they show (mailers, boundaries, encodings, addresses) nobody can name
// beforehand, and no decoding can be fooled.
//
// Called by the tokenizer with the first bytes of a message. Thread-safety: pure function.
#pragma once

#include <string_view>

#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

// Every four neighbouring bytes of `bytes`.
void AddNgrams(std::string_view bytes, FeatureBuilder* builder);

}  // namespace thresher::tokenizer

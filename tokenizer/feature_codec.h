// Features as compact bytes, for the example log and the spool: order, values and chosen texts kept exactly.
//
// Called by the pipeline. N-grams, which mostly overlap their predecessor by three bytes, take little more
// than a byte each; tokens take their eight-byte id. The byte layout is documented in feature_codec.cc and
// begins with a version byte. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::tokenizer {

// Appends the encoding of `features` to `out`. Texts are kept for the features i with with_text[i] != 0
// (an empty span: for none).
void EncodeFeatures(const Features& features, const IdSpace& id_space, std::span<const uint8_t> with_text,
                    std::string* out);

// The features written by EncodeFeatures, or nothing if the bytes are not such an encoding. Texts that were
// not kept are empty. Total: any bytes are safe. Allocates at most a small multiple of bytes.size().
std::optional<Features> DecodeFeatures(std::string_view bytes, const IdSpace& id_space);

}  // namespace thresher::tokenizer

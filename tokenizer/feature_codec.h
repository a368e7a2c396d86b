// Encodes features as compact bytes for the example log and the spool. Order, values and chosen texts are
// kept exactly.
//
// Called by the pipeline. An n-gram usually overlaps the one before it by three bytes and then takes little
// more than one byte; a token takes the eight bytes of its id. The layout is documented in feature_codec.cc
// and begins with a version byte. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::tokenizer {

// Appends the encoding of `features` to *out. The text of feature i is kept if with_text[i] != 0; an empty
// `with_text` keeps none.
void EncodeFeatures(const Features& features, const IdSpace& id_space, std::span<const uint8_t> with_text,
                    std::string* out);

// Decodes what EncodeFeatures wrote; nothing if `bytes` is not such an encoding. Texts that were not kept are
// empty. Accepts any bytes and allocates at most a small multiple of bytes.size().
std::optional<Features> DecodeFeatures(std::string_view bytes, const IdSpace& id_space);

}  // namespace thresher::tokenizer

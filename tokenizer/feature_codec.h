// Encodes features as compact bytes for the example log and the spool. Order, values and texts are kept
// exactly.
//
// Called by the pipeline. An n-gram usually overlaps the one before it by three bytes and then takes little
// more than one byte; a token takes its text (token_run.h), and one without text the eight bytes of its id.
// The layout is documented in feature_codec.cc and begins with a version byte. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::tokenizer {

// Appends the encoding of `features` to *out.
void EncodeFeatures(const Features& features, const IdSpace& id_space, std::string* out);

// Decodes what EncodeFeatures of this release or an older one wrote; nothing if `bytes` is not such an
// encoding. Accepts any bytes and allocates at most 250 bytes for each of them: as much as a pair of words
// can stand for.
std::optional<Features> DecodeFeatures(std::string_view bytes, const IdSpace& id_space);

}  // namespace thresher::tokenizer

// Encodes features as compact bytes for the example log and the spool. Order, values and texts are kept
// exactly. Features that come with their message are encoded as that message (message_record.h).
//
// Called by the pipeline, which decodes by FeatureDecoder. An n-gram usually overlaps the one before it by
// three bytes and then takes little more than one byte; a token takes its text (token_run.h), and one without
// text the eight bytes of its id. The layout is documented in feature_codec.cc and begins with a version
// byte. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::tokenizer {

// Appends the encoding of `features`, or of features.message if there is one, to *out.
void EncodeFeatures(const Features& features, const IdSpace& id_space, std::string* out);

// An encoded message.
struct EncodedMessage {
  bool truncated;           // Features::truncated
  std::string_view record;  // of `bytes`
};
// Nothing if `bytes` is no encoding of a message.
std::optional<EncodedMessage> MessageIn(std::string_view bytes);

// Decodes features that EncodeFeatures of this release or an older one wrote; nothing if `bytes` is not such
// an encoding. Accepts any bytes and allocates at most 250 bytes for each of them: as much as a pair of words
// can stand for.
std::optional<Features> DecodeFeatures(std::string_view bytes, const IdSpace& id_space);

}  // namespace thresher::tokenizer

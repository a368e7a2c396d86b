// The bytes of one spool file: the key and the features of one message, with a checksum.
//
// Version 2 is the line "thresher-spool 2", the XXH3-64 of all that follows in 16 hexadecimal digits, the
// Message-ID, the digest, each with a newline, and the encoded features (tokenizer/feature_codec.h).
// Version 1, of releases up to 0.1.0, has neither checksum nor digest. Called by Spool. Thread-safety: pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "tokenizer/feature_decoder.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

// REQUIRES: features has all its texts, and the key no newline.
std::string EncodeSpoolFile(const tokenizer::MessageKey& key, const tokenizer::Features& features,
                            const tokenizer::IdSpace& id_space);

// A file whose checksum is right, if it has one.
struct SpoolFile {
  tokenizer::MessageKey key;  // version 1: without the digest
  std::string features;       // encoded
};
// The error says what is wrong with the bytes. Accepts any bytes.
tl::expected<SpoolFile, std::string> DecodeSpoolFile(std::string_view bytes);

// The features of a file; only such as a model may be taught.
tl::expected<tokenizer::Features, std::string> FeaturesOf(const SpoolFile& file,
                                                          const tokenizer::FeatureDecoder& decoder);

}  // namespace thresher::pipeline

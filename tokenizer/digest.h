// A 64-bit digest as text.
//
// Used for message keys and attachments. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

// 16 hex digits.
std::string HexDigits(uint64_t number);

// XXH3-64 of `bytes`, without a seed: the same for all models.
std::string DigestOf(std::string_view bytes);

}  // namespace thresher::tokenizer

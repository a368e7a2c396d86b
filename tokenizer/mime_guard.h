// How much of a body a recursive MIME parser may see.
//
// Called by mime.cc: GMime's parser recurses once per container and allocates for every part, bounded by
// nothing but the message. Thread-safety: pure functions. Total and linear.
#pragma once

#include <cstddef>
#include <string_view>

namespace thresher::tokenizer {

// The longest beginning of `body` that can hold no more than `containers` multiparts and embedded messages
// (it may mention their types that often) and no more than `boundaries` boundary lines (lines that begin
// with "--").
std::string_view BoundStructure(std::string_view body, size_t containers, size_t boundaries);

}  // namespace thresher::tokenizer

// How much of a body GMime's parser may see.
//
// Called by mime.cc: that parser recurses once per container, allocates for every part and takes a
// microsecond and more for every header and parameter, bounded by nothing but the message. Thread-safety:
// pure functions. Total and linear.
#pragma once

#include <cstddef>
#include <string_view>

namespace thresher::tokenizer {

struct StructureLimits {
  size_t containers;  // multiparts and embedded messages: mentions of their types
  size_t boundaries;  // lines that begin with "--"
  size_t fields;  // lines and semicolons where a head may be: after a boundary line or an embedded message's
};

// The longest beginning of `body` that keeps the limits.
std::string_view BoundStructure(std::string_view body, const StructureLimits& limits);

}  // namespace thresher::tokenizer

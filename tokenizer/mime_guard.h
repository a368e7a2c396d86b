// Bounds how much of a body GMime's parser reads.
//
// Called by mime.cc. That parser recurses once per container, allocates for every part, takes at least a
// microsecond for every header and parameter, and quadratic time for addresses, without limits of its own.
// Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

struct StructureLimits {
  size_t containers;  // multiparts and embedded messages: lines of a Content-Type in a head that name one
  size_t boundaries;  // lines that begin with "--"
  // Where a header block may be (after a boundary line, or at the start of an embedded message): lines, and
  // what BoundValue counts in headers that describe a part.
  size_t fields;
};

// The longest beginning of the value of a header that describes a part, or of a line of it, that costs GMime
// no more than *fields fields; subtracts what it costs. A semicolon costs one, 16 bytes one, and what may be
// in another charset (RFC 2047, RFC 2231) 16: for each such word glibc may load and unload a module.
std::string_view BoundValue(std::string_view value, size_t* fields);

// How names of headers that do not describe a part begin for the parser, in place of their first letter:
// those of From and Subject, and all others.
inline constexpr char kShownHeader = 'Z';
inline constexpr char kOtherHeader = 'X';

// What the parser reads instead of a body.
struct BoundedBody {
  std::string bytes;
  std::vector<size_t> added;  // the places in the body where kMissingSubtype (mime_parameters.h) was added
  StructureLimits left;       // of those that it stays within

  // Where in the body the byte at `place` is.
  size_t PlaceInBody(size_t place) const;
};

// The longest beginning of `body` that stays within the limits, for the parser, which needs the structure
// only: headers that do not describe a part have other names, no boundary is in the middle of a long line,
// and bad parameters are blank (mime_parameters.h). But for what is added, every byte is at its place.
// Lines that end in CR alone end in LF. `type`: the Content-Type above it.
BoundedBody BoundStructure(std::string_view body, std::string_view type, const StructureLimits& limits);

// The boundary that parts seem to have: that of the first line of dashes before a header of a part. Empty if
// there is none.
std::string_view SeemingBoundary(std::string_view body);

}  // namespace thresher::tokenizer

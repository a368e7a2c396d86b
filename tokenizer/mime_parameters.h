// Parameters of MIME headers that GMime does not understand.
//
// Called by mime.cc and mime_guard.cc with what GMime is to parse. Accepts any bytes; linear time.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace thresher::tokenizer {

// Overwrites with blanks what is no parameter in the value of a Content-Type or Content-Disposition, or in
// the whole header, as "foo" in "multipart/mixed; foo; boundary=b": GMime would read nothing behind it, where
// mail programs go on. Every other byte, and every line end, is at its place.
void BlankBadParameters(std::span<char> value);

// What "multipart/" without a subtype is (RFC 2046, 5.1.7). GMime takes that type for an application.
inline constexpr std::string_view kMissingSubtype = "mixed";

// Where kMissingSubtype is missing in the value of a Content-Type, behind the slash; npos if it is not.
size_t PlaceOfMissingSubtype(std::string_view value);

}  // namespace thresher::tokenizer

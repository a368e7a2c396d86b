// Parameters of MIME headers that GMime does not understand.
//
// Called by mime.cc and mime_guard.cc with what GMime is to parse. Accepts any bytes; linear time.
// Thread-safety: a pure function.
#pragma once

#include <span>

namespace thresher::tokenizer {

// Overwrites with blanks what is no parameter in the value of a Content-Type or Content-Disposition, or in
// the whole header, as "foo" in "multipart/mixed; foo; boundary=b": GMime would read nothing behind it, where
// mail programs go on. Every other byte, and every line end, is at its place.
void BlankBadParameters(std::span<char> value);

}  // namespace thresher::tokenizer

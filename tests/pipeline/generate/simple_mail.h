// A minimal MIME reader that checks what the generator writes. It is strict where mail programs are lenient:
// anything that it does not understand is an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thresher::pipeline {

struct SimplePart {
  std::string type;     // "text/plain"
  std::string charset;  // empty if there is none
  std::string content;  // after decoding the transfer encoding
};

struct SimpleMail {
  std::string head;               // header lines, still folded
  std::vector<SimplePart> parts;  // leaves in order
  std::string error;              // empty if all was well formed
};

SimpleMail ReadSimpleMail(std::string_view bytes);

// The value of the first header of this name, still folded; empty if there is none.
std::string HeaderOf(std::string_view head, std::string_view name);

// Converts to UTF-8. False if the bytes are not valid in the charset or have a substitute character.
bool DecodeStrictly(std::string_view bytes, const std::string& charset, std::string& utf8);

// Decodes a header value with encoded words. False if one is malformed or cannot be decoded.
bool DecodeHeaderStrictly(std::string_view value, std::string& utf8);

}  // namespace thresher::pipeline

// The simplest reader of MIME that can check what the generator writes. Strict where a mail program is
// lenient: what it does not understand is an error, not a guess.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thresher::pipeline {

struct SimplePart {
  std::string type;     // "text/plain"
  std::string charset;  // empty if there is none
  std::string content;  // transfer encoding undone
};

struct SimpleMail {
  std::string head;               // header lines, with their folds
  std::vector<SimplePart> parts;  // leaves in order
  std::string error;              // empty if all was well formed
};

SimpleMail ReadSimpleMail(std::string_view bytes);

// The value of the first header of that name, folds left in; empty if there is none.
std::string HeaderOf(std::string_view head, std::string_view name);

// To UTF-8; false where the bytes are not of the charset, or stand for a character that could not be written.
bool DecodeStrictly(std::string_view bytes, const std::string& charset, std::string& utf8);

// Of a header value with encoded words; false where one is malformed or does not decode.
bool DecodeHeaderStrictly(std::string_view value, std::string& utf8);

}  // namespace thresher::pipeline

// Writes MIME parts: transfer encodings, boundaries, attachments.
//
// Used by the message kinds of the generator. Thread-safety: pure but for the Random.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/generate/random.h"

namespace thresher::pipeline::synthetic {

enum class Transfer { k7Bit, k8Bit, kQuotedPrintable, kBase64 };

struct Part {
  std::string type = {};  // "text/plain; charset=koi8-r"
  Transfer transfer = Transfer::k7Bit;
  std::string more_headers = {};  // whole lines: disposition, Content-ID
  std::string content = {};       // before transfer encoding
  std::vector<Part> parts = {};   // of a multipart
};

Part Multipart(std::string_view subtype, std::vector<Part> parts);

// Random bytes after the first few of a real file of this type.
Part Attachment(std::string_view type, std::string_view name, size_t bytes, Random& random);

// Headers, blank line and body.
void AppendPart(const Part& part, Random& random, std::string& out);

std::string Base64(std::string_view bytes);  // on one line

}  // namespace thresher::pipeline::synthetic

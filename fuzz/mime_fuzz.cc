// WalkMime respects its limits on any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tokenizer/mime.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using thresher::tokenizer::MimeLimits;
  using thresher::tokenizer::MimePart;
  constexpr MimeLimits kLimits = {.depth = 4, .parts = 16, .decoded_bytes = 4096};
  size_t parts = 0;
  size_t decoded = 0;
  const thresher::tokenizer::MessageHead message =
      thresher::tokenizer::ParseHead({reinterpret_cast<const char*>(data), size});
  thresher::tokenizer::WalkMime(message, kLimits, [&](const MimePart& part) {
    ++parts;
    decoded += part.bytes.size() + part.inner_from.size() + part.inner_subject.size();
    if (part.depth > kLimits.depth || part.type.find('/') == std::string_view::npos) std::abort();
  });
  // Text and other content have separate limits.
  if (parts > kLimits.parts || decoded > 2 * kLimits.decoded_bytes) std::abort();
  return 0;
}

// Any bytes are refused, or decoded to features that are the same after encoding and decoding again.
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tokenizer/feature_codec.h"

namespace {

using thresher::tokenizer::Features;

bool Same(const Features& a, const Features& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    // Values may be NaN: compare their bits.
    if (std::bit_cast<uint32_t>(a.values[i]) != std::bit_cast<uint32_t>(b.values[i])) return false;
  }
  return a.ids == b.ids && a.texts == b.texts && a.text_ends == b.text_ends && a.truncated == b.truncated;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const thresher::tokenizer::IdSpace ids(1);
  const std::optional<Features> features =
      thresher::tokenizer::DecodeFeatures({reinterpret_cast<const char*>(data), size}, ids);
  if (!features) return 0;
  std::string bytes;
  thresher::tokenizer::EncodeFeatures(*features, ids, &bytes);
  const std::optional<Features> again = thresher::tokenizer::DecodeFeatures(bytes, ids);
  if (!again || !Same(*features, *again)) std::abort();
  return 0;
}

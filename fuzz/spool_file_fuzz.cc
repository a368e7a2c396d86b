// Any bytes are refused as a spool file, or hold features, or a message with features, that a model may be
// taught and that are the same when they are kept again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "pipeline/delivery/spool_file.h"
#include "pipeline/model/soundness.h"
#include "tokenizer/digest.h"

namespace {

thresher::tokenizer::FeatureDecoder MakeDecoder() {
  thresher::tokenizer::Options options;
  options.keep_message = true;
  return {options, 1};
}

void Try(std::string_view bytes) {
  namespace pipeline = thresher::pipeline;
  static const thresher::tokenizer::FeatureDecoder decoder = MakeDecoder();
  const auto file = pipeline::DecodeSpoolFile(bytes);
  if (!file) return;
  const auto features = pipeline::FeaturesOf(*file, decoder);
  if (!features) return;
  if (pipeline::WrongWithFeatures(*features, decoder.id_space(), pipeline::TextsOfTokens::kAll)) std::abort();
  const auto again =
      pipeline::DecodeSpoolFile(pipeline::EncodeSpoolFile(file->key, *features, decoder.id_space()));
  if (!again || again->key != file->key) std::abort();
  const auto same = pipeline::FeaturesOf(*again, decoder);
  if (!same || same->ids != features->ids || same->values != features->values ||
      same->texts != features->texts)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Try(bytes);
  // With a right checksum, which chance does not find.
  Try("thresher-spool 2\n" + thresher::tokenizer::DigestOf(bytes) + "\n" + bytes);
  return 0;
}

// The tokenizer gives distinct, finite features for any bytes, as mail and as a document. thresher's own
// header does not change them.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unordered_set>

#include "tokenizer/message_head.h"
#include "tokenizer/tokenizer.h"

namespace {

using thresher::tokenizer::Features;
using thresher::tokenizer::Kind;

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckFeatures(const Features& features) {
  Check(features.values.size() == features.size() && features.text_ends.size() == features.size());
  const std::unordered_set<uint64_t> distinct(features.ids.begin(), features.ids.end());
  Check(distinct.size() == features.size());
  for (const float value : features.values) Check(std::isfinite(value) && value > 0);
  if (features.size() > 0) Check(features.text_ends.back() == features.texts.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static thresher::tokenizer::Tokenizer tokenizer({}, 1);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Features features;
  tokenizer.Tokenize(bytes, Kind::kDocument, &features);
  CheckFeatures(features);
  tokenizer.Tokenize(bytes, Kind::kMail, &features);
  CheckFeatures(features);

  const thresher::tokenizer::MessageHead head = thresher::tokenizer::ParseHead(bytes);
  const std::string filtered = std::string(head.from_line) + "X-Thresher: Ham, version=0" +
                               std::string(head.line_end) + std::string(bytes.substr(head.from_line.size()));
  Features again;
  tokenizer.Tokenize(filtered, Kind::kMail, &again);
  Check(again.ids == features.ids);
  return 0;
}

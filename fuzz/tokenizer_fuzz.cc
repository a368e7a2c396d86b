// The tokenizer gives distinct, finite features for any bytes, as mail and as a document. thresher's own
// header, which replaces others of that name, does not change them, nor the message's key.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unordered_set>

#include "tokenizer/feature_kind.h"
#include "tokenizer/message_head.h"
#include "tokenizer/message_key.h"
#include "tokenizer/own_marks.h"
#include "tokenizer/thresher_headers.h"
#include "tokenizer/tokenizer.h"

namespace {

using thresher::tokenizer::Features;
using thresher::tokenizer::KeyMaker;
using thresher::tokenizer::Kind;
using thresher::tokenizer::OwnMarks;

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckFeatures(const Features& features) {
  Check(features.values.size() == features.size() && features.text_ends.size() == features.size());
  const std::unordered_set<uint64_t> distinct(features.ids.begin(), features.ids.end());
  Check(distinct.size() == features.size());
  for (const float value : features.values) Check(std::isfinite(value) && value > 0);
  if (features.size() > 0) Check(features.text_ends.back() == features.texts.size());
  std::array<float, thresher::tokenizer::kFeatureKinds> of_kind{};
  for (size_t i = 0; i < features.size(); ++i) {
    float& value =
        of_kind[static_cast<size_t>(thresher::tokenizer::KindOfFeature(features.ids[i], features.Text(i)))];
    Check(value == 0 || value == features.values[i]);
    value = features.values[i];
  }
}

// As `filter` writes it.
std::string Filtered(std::string message) {
  thresher::tokenizer::RemoveThresherHeaders(&message, OwnMarks());
  const thresher::tokenizer::HeaderPlace place = thresher::tokenizer::PlaceOfHeader(message);
  const std::string header = "X-Thresher: Ham, version=0" + std::string(place.line_end);
  return message.insert(place.position, header);
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

  const std::string filtered = Filtered(std::string(bytes));
  Check(Filtered(filtered) == filtered);
  static const KeyMaker keys(std::string(KeyMaker::kSecretBytes, 's'), OwnMarks());
  Check(keys.KeysOf(filtered).own == keys.KeysOf(bytes).own);
  Features again;
  tokenizer.Tokenize(filtered, Kind::kMail, &again);
  Check(again.ids == features.ids);
  return 0;
}

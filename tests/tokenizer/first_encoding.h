// The encoding of features before version 2 (feature_codec.h), which is only read now; without runs of
// n-grams.
//
// Used by tests of what older releases wrote. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "tokenizer/codec_bytes.h"
#include "tokenizer/features.h"

namespace thresher::tokenizer {

// With all texts.
inline std::string InFirstEncoding(const Features& features) {
  std::string bytes = {1, static_cast<char>(features.truncated ? 3 : 2)};
  PutVarint(features.size(), &bytes);
  if (features.size() > 0) PutVarint(2 * features.size(), &bytes);
  PutBytes(features.ids.data(), features.size() * sizeof(uint64_t), &bytes);
  for (const float value : features.values) {
    PutVarint(1, &bytes);
    PutBytes(&value, sizeof value, &bytes);
  }
  std::string texts;
  uint64_t count = 0;
  uint64_t gap = 0;
  for (size_t i = 0; i < features.size(); ++i) {
    if (features.Text(i).empty()) {
      ++gap;
      continue;
    }
    PutVarint(gap, &texts);
    PutVarint(features.Text(i).size(), &texts);
    texts += features.Text(i);
    gap = 0;
    ++count;
  }
  PutVarint(count, &bytes);
  return bytes + texts;
}

}  // namespace thresher::tokenizer

#include "tokenizer/ngrams.h"

namespace thresher::tokenizer {

void Ngrams::Add(std::string_view bytes, FeatureBuilder* builder) {
  if (bytes.size() < 4) return;
  index_.Clear();
  ngrams_.resize(bytes.size());
  counts_.assign(bytes.size(), 0);
  uint32_t distinct = 0;
  uint32_t last_four = 0;
  for (size_t i = 0; i < 3; ++i) last_four = last_four << 8 | static_cast<unsigned char>(bytes[i]);
  for (const char byte : bytes.substr(3)) {
    last_four = last_four << 8 | static_cast<unsigned char>(byte);
    ngrams_[distinct] = last_four;
    const uint32_t number = index_.Add(last_four, distinct);
    ++counts_[number];
    distinct += number == distinct ? 1 : 0;
  }
  builder->AddNgrams({ngrams_.data(), distinct}, {counts_.data(), distinct});
}

}  // namespace thresher::tokenizer

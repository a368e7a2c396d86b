#include "tokenizer/ngrams.h"

namespace thresher::tokenizer {

void Ngrams::Add(std::string_view bytes, FeatureBuilder* builder) {
  if (bytes.size() < 4) return;
  index_.Clear();
  ngrams_.resize(bytes.size());
  counts_.assign(bytes.size(), 0);
  uint32_t last_four = 0;
  for (size_t i = 0; i < 3; ++i) last_four = last_four << 8 | static_cast<unsigned char>(bytes[i]);
  const char* next = bytes.data() + 3;
  uint32_t* const ngrams = ngrams_.data();
  uint32_t* const counts = counts_.data();
  const size_t distinct = index_.AddAll(
      bytes.size() - 3, [&] { return last_four = last_four << 8 | static_cast<unsigned char>(*next++); },
      [=](uint32_t ngram, uint32_t number) {
        ngrams[number] = ngram;
        ++counts[number];
      });
  builder->AddNgrams({ngrams_.data(), distinct}, {counts_.data(), distinct});
}

}  // namespace thresher::tokenizer

#include "tokenizer/ngrams.h"

namespace thresher::tokenizer {

void AddNgrams(std::string_view bytes, FeatureBuilder* builder) {
  uint32_t last_four = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    last_four = last_four << 8 | static_cast<unsigned char>(bytes[i]);
    if (i >= 3) builder->AddNgram(last_four);
  }
}

}  // namespace thresher::tokenizer

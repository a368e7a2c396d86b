#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

static_assert(WordSplitter::kSlack >= FeatureBuilder::kSlack);

size_t WordTokens::Add(std::string_view field, std::string_view utf8) {
  const auto& words = splitter_.Split(utf8);
  builder_->AddWords(field, words, /*pairs=*/false);
  return words.size();
}

size_t WordTokens::AddWithPairs(std::string_view field, std::string_view utf8) {
  const auto& words = splitter_.Split(utf8);
  builder_->AddWords(field, words, /*pairs=*/true);
  return words.size();
}

}  // namespace thresher::tokenizer

#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

static_assert(WordSplitter::kSlack >= FeatureBuilder::kSlack);

size_t WordTokens::Add(std::string_view field, std::string_view utf8) {
  return AddWords(field, utf8, /*pairs=*/false);
}

size_t WordTokens::AddWithPairs(std::string_view field, std::string_view utf8) {
  return AddWords(field, utf8, /*pairs=*/true);
}

size_t WordTokens::AddWords(std::string_view field, std::string_view utf8, bool pairs) {
  const auto& words = splitter_.Split(utf8);
  builder_->AddWords(field, words, pairs);
  if (disguises_ && splitter_.HadControlInWord()) builder_->Add("disguise:", field, "control");
  return words.size();
}

}  // namespace thresher::tokenizer

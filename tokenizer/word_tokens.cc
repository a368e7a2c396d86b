#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

size_t WordTokens::Add(std::string_view field, std::string_view utf8) {
  const auto& words = splitter_.Split(utf8);
  for (const std::string_view word : words) builder_->Add(field, word);
  return words.size();
}

size_t WordTokens::AddWithPairs(std::string_view field, std::string_view utf8) {
  std::string_view last;
  const auto& words = splitter_.Split(utf8);
  for (const std::string_view word : words) {
    builder_->Add(field, word);
    if (!last.empty()) builder_->Add("pair:", field, last, " ", word);
    last = word;
  }
  return words.size();
}

}  // namespace thresher::tokenizer

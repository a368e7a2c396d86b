#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

void WordTokens::Add(std::string_view field, std::string_view utf8) {
  for (const std::string_view word : splitter_.Split(utf8)) builder_->Add(field, word);
}

void WordTokens::AddWithPairs(std::string_view field, std::string_view utf8) {
  std::string_view last;
  for (const std::string_view word : splitter_.Split(utf8)) {
    builder_->Add(field, word);
    if (!last.empty()) builder_->Add("pair:", field, last, " ", word);
    last = word;
  }
}

}  // namespace thresher::tokenizer

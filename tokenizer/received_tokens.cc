#include "tokenizer/received_tokens.h"

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_tokens.h"

namespace thresher::tokenizer {
namespace {

bool InWord(char c) { return IsAsciiWordByte(c) || c == '.' || c == '-' || c == '_'; }

// Whether `word` is four numbers below 256, separated by dots.
bool IsIpAddress(std::string_view word) {
  int dots = 0;
  int digits = 0;
  int number = 0;
  for (const char c : word) {
    if (c == '.') {
      if (digits == 0 || ++dots > 3) return false;
      digits = number = 0;
    } else if (IsAsciiDigit(c)) {
      number = 10 * number + (c - '0');
      if (++digits > 3 || number > 255) return false;
    } else {
      return false;
    }
  }
  return dots == 3 && digits > 0;
}

void AddIpAddress(std::string_view address, FeatureBuilder* builder) {
  for (int bytes = 4; bytes >= 2; --bytes) {
    builder->Add("received:ip:", address);
    address = address.substr(0, address.rfind('.'));
  }
}

}  // namespace

void ReceivedTokens::Add(std::string_view value) {
  lower_.clear();
  // A date follows the last semicolon.
  AppendLowerAscii(value.substr(0, value.rfind(';')), &lower_);
  const std::string_view text = lower_;
  for (size_t begin = 0; begin < text.size(); ++begin) {
    size_t end = begin;
    while (end < text.size() && InWord(text[end])) ++end;
    if (end > begin) AddWord(text.substr(begin, end - begin));
    begin = end;
  }
}

void ReceivedTokens::AddWord(std::string_view word) {
  while (word.starts_with('.')) word.remove_prefix(1);
  while (word.ends_with('.')) word.remove_suffix(1);
  const bool letters = std::any_of(word.begin(), word.end(), IsAsciiLetter);
  if (word.find('.') != std::string_view::npos) {
    if (letters) {
      AddDomain("received:host:", word, builder_);
    } else if (IsIpAddress(word)) {
      AddIpAddress(word, builder_);
    }
  } else if (letters && std::none_of(word.begin(), word.end(), IsAsciiDigit)) {
    // Words with digits are queue ids.
    builder_->Add("received:word:", word);
  }
}

}  // namespace thresher::tokenizer

// Decodes base64 (RFC 4648) a character at a time, also what is not quite base64: mail has all of it.
//
// Used by encoded_words.cc and ngram_text.cc. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thresher::tokenizer {

class Base64Decoder {
 public:
  // The byte that is complete with `c`, if one is. After a padding "=" a group begins anew. Other characters
  // outside the alphabet are skipped. An incomplete last group gives the bytes that are complete.
  std::optional<char> Add(char c) {
    const int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) {
      if (c == '=') count_ = 0;
      return std::nullopt;
    }
    bits_ = bits_ << 6 | static_cast<uint32_t>(value);
    count_ += 6;
    if (count_ < 8) return std::nullopt;
    count_ -= 8;
    return static_cast<char>(bits_ >> count_);
  }

 private:
  static constexpr auto kValues = [] {
    std::array<int8_t, 256> values{};
    values.fill(-1);
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < kAlphabet.size(); ++i)
      values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
    return values;
  }();

  uint32_t bits_ = 0;
  unsigned count_ = 0;  // of bits_, at its end, that are part of no byte yet
};

}  // namespace thresher::tokenizer

// Decodes base64 (RFC 4648) a character at a time, also what is not quite base64: mail has all of it.
//
// As mail programs do (Thunderbird): each four characters of the alphabet and "=" are a group, which gives a
// byte less for each "=", but one at least; all other characters are skipped.
//
// Used by transfer_decoder.cc, encoded_words.cc, calendar.cc and ngram_text.cc. Thread-safety: a plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

class Base64Decoder {
 public:
  // Appends the bytes of the group that ends with `c`, if one does. Returns whether it does, with an "=".
  bool Add(char c, std::string* out) {
    int8_t value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) {
      if (c != '=') return false;
      value = 0;
      ++padding_;
    }
    bits_ = bits_ << 6 | static_cast<uint32_t>(value);
    if (++count_ < kGroup) return false;
    const bool is_padded = padding_ > 0;
    Take(3 - std::min(padding_, 2U), out);
    return is_padded;
  }

  // Appends the bytes that an incomplete last group has.
  void Finish(std::string* out) {
    const unsigned bytes = count_ > 1 + padding_ ? count_ - 1 - padding_ : 0;
    bits_ <<= 6 * (kGroup - count_);
    Take(bytes, out);
  }

 private:
  static constexpr unsigned kGroup = 4;  // characters
  static constexpr auto kValues = [] {
    std::array<int8_t, 256> values{};
    values.fill(-1);
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < kAlphabet.size(); ++i)
      values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
    return values;
  }();

  // The first bytes of the group, which ends.
  void Take(unsigned bytes, std::string* out) {
    const std::array<char, 3> all = {static_cast<char>(bits_ >> 16), static_cast<char>(bits_ >> 8),
                                     static_cast<char>(bits_)};
    out->append(all.data(), bytes);
    count_ = padding_ = 0;
  }

  uint32_t bits_ = 0;
  unsigned count_ = 0;    // characters of the group so far
  unsigned padding_ = 0;  // those of them that are "="
};

}  // namespace thresher::tokenizer

// Feature ids: 64 bits, computed with the seed of a model, and the way back from an id to its text.
//
// The top bit tells the two kinds of features apart, so they never collide:
//   0  a token: the low 63 bits of XXH3-64(text, seed). Its text has to be stored.
//   1  a byte n-gram: a seeded bijection of its four bytes. Its text is computed from the id.
// The seed is secret to the model, so that a sender cannot construct two tokens with one id.
// Used by the tokenizer and the pipeline. Thread-safety: immutable after construction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

class IdSpace {
 public:
  explicit IdSpace(uint64_t seed);

  uint64_t Token(std::string_view text) const;

  // `bytes`: the four bytes of the n-gram, the first one most significant.
  uint64_t Ngram(uint32_t bytes) const {
    uint64_t x = ((bytes ^ seed_) * kFirst) & kLow63;
    x ^= x >> 32;
    x = ((x ^ SecondKey()) * kSecond) & kLow63;
    x ^= x >> 32;
    return x | kNgramBit;
  }

  uint64_t seed() const { return seed_; }

  static constexpr bool IsNgram(uint64_t id) { return (id >> 63) != 0; }

  // The four bytes of an n-gram id. REQUIRES: IsNgram(id). For an id that Ngram() never returned (a corrupt
  // store) the result is some four bytes, never undefined.
  uint32_t NgramBytes(uint64_t id) const;

  // "raw:Rece", with unprintable bytes as \xHH. REQUIRES: IsNgram(id).
  std::string NgramText(uint64_t id) const;

 private:
  static constexpr uint64_t kLow63 = (uint64_t{1} << 63) - 1;
  static constexpr uint64_t kNgramBit = uint64_t{1} << 63;
  // Multiplication by an odd number and x ^ (x >> 32) are bijections of 63 bits, and so is their composition.
  static constexpr uint64_t kFirst = 0x9E3779B97F4A7C15;
  static constexpr uint64_t kSecond = 0xD6E8FEB86659FD93;

  // A different key for the second round, so that similar seeds share no id.
  uint64_t SecondKey() const { return (seed_ * kSecond) >> 1; }

  uint64_t seed_;
};

}  // namespace thresher::tokenizer

// Where words of ASCII text begin and end, found sixteen bytes at a time: a bit for each byte.
//
// Called by the word splitter, which joins and cuts what is found. Thread-safety: serves one thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

class WordMask {
 public:
  // Forgets the text before. REQUIRES: `text` is ASCII in lower case.
  void Assign(std::string_view text);

  // The first byte at or behind `i` that is of a word (a letter, a digit, _) or one of ! $ ?; at or behind
  // the text's end if there is none. REQUIRES: `i` is not behind the text's end.
  size_t Begin(size_t i) const { return FirstBit(begins_, i); }
  // The first byte at or behind `i` that is of no word; at most the text's end.
  size_t End(size_t i) const { return FirstBit(ends_, i); }

 private:
  static constexpr size_t kBits = 64;
  static size_t FirstBit(const std::vector<uint64_t>& bits, size_t i) {
    size_t at = i / kBits;
    uint64_t rest = bits[at] >> (i % kBits) << (i % kBits);
    while (rest == 0) rest = bits[++at];
    return at * kBits + static_cast<size_t>(std::countr_zero(rest));
  }

  // Those behind the text are 1, so that each search ends.
  std::vector<uint64_t> begins_;
  std::vector<uint64_t> ends_;
};

}  // namespace thresher::tokenizer

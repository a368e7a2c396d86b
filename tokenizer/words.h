// Splits text into words: normalised (NFKC), case folded and cut at word boundaries, with ICU. ASCII takes a
// fast path with the same result.
//
// Called by the tokenizer for every decoded text. Thread-safety: a WordSplitter serves one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

class WordSplitter {
 public:
  // So many bytes behind each word can be read.
  static constexpr size_t kSlack = 16;

  WordSplitter();
  ~WordSplitter();
  WordSplitter(WordSplitter&&) noexcept;
  WordSplitter& operator=(WordSplitter&&) noexcept;

  // The words of `utf8` in order, as views that hold until the next call. A word is what ICU's word iterator
  // calls a word or number (Chinese, Japanese and Thai by dictionary), normalised and folded, or a run of
  // punctuation that spam uses ("$$$", "!!!"; see words.cc). A word longer than 64 bytes is cut there, at a
  // character boundary. Invalid UTF-8 separates words; control characters do not. On ASCII the fast path
  // gives exactly what ICU gives; a test compares them.
  const std::vector<std::string_view>& Split(std::string_view utf8);
  // The same with ICU for all input: tests compare the fast path with it.
  const std::vector<std::string_view>& SplitByIcu(std::string_view utf8);

  // Whether a control character was between two letters of the last text.
  bool HadControlInWord() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::tokenizer

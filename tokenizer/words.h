// Words of a text: NFKC, case folded, split at word boundaries, by ICU; ASCII takes a fast path with the same
// result.
//
// Called by the tokenizer for every decoded text. Thread-safety: a WordSplitter serves one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

class WordSplitter {
 public:
  WordSplitter();
  ~WordSplitter();
  WordSplitter(WordSplitter&&) noexcept;
  WordSplitter& operator=(WordSplitter&&) noexcept;

  // The words of `utf8` in order, as views that hold until the next call. Words are what ICU's word iterator
  // calls a word or number (Chinese, Japanese and Thai by dictionary), normalised and folded, plus runs of
  // spam's own punctuation as documented in words.cc
  // ("$$$", "!!!"). A word longer than 64 bytes is cut there at a character. Invalid UTF-8 splits words. The
  // ASCII fast path gives exactly what the general path gives on ASCII: a test compares them.
  const std::vector<std::string_view>& Split(std::string_view utf8);
  // The general path whatever the input: the fast path's twin in tests.
  const std::vector<std::string_view>& SplitByIcu(std::string_view utf8);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::tokenizer

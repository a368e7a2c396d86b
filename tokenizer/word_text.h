// Text as ICU's word iterator reads it: normalised and case folded, without what would make the iterator see
// other words than a reader does.
//
// Called by the word splitter for text that is not ASCII. Thread-safety: a WordText serves one thread.
#pragma once

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <string_view>

namespace thresher::tokenizer {

class WordText {
 public:
  WordText();

  // Whether ICU's data is installed.
  bool IsReady() const { return normaliser_ != nullptr; }

  // Replaces the text. REQUIRES: IsReady().
  void Assign(std::string_view utf8);
  const icu::UnicodeString& Get() const { return text_; }
  // Whether a control character was between two letters.
  bool HadControlInWord() const { return had_control_in_word_; }

 private:
  void CleanRaw();
  void ComposeSaraAm();
  bool StartsAfresh(UChar32 c) const;

  const icu::Normalizer2* normaliser_ = nullptr;
  icu::UnicodeString raw_;
  icu::UnicodeString text_;
  bool had_control_in_word_ = false;
};

}  // namespace thresher::tokenizer

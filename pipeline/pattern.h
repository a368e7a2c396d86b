// A regular expression to look for in token texts.
//
// ICU's: unlike the standard library's it bounds stack and time, whatever the expression. Used by `vocab`.
// Thread-safety: one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pipeline/error.h"

namespace thresher::pipeline {

class Pattern {
 public:
  // `expression` in UTF-8; kUsage if it is none.
  static Result<Pattern> Compile(const std::string& expression);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  // Whether it is found anywhere in `text`; kUsage if that takes it too long.
  Result<bool> IsIn(std::string_view text);

 private:
  struct Matcher;
  explicit Pattern(std::unique_ptr<Matcher> matcher);

  std::unique_ptr<Matcher> matcher_;
};

}  // namespace thresher::pipeline

// A regular expression to look for in token texts.
//
// Uses ICU: unlike the standard library's, its expressions have limits on stack and time. Called by `vocab`.
// Thread-safety: one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pipeline/error.h"

namespace thresher::pipeline {

class Pattern {
 public:
  // `expression` in UTF-8; the error is kUsage.
  static Result<Pattern> Compile(const std::string& expression);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  // Whether `text` contains a match; kUsage if the search takes too long.
  Result<bool> IsIn(std::string_view text);

 private:
  struct Matcher;
  explicit Pattern(std::unique_ptr<Matcher> matcher);

  std::unique_ptr<Matcher> matcher_;
};

}  // namespace thresher::pipeline

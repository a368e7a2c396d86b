// Reads parameters as GMime does where it does not insist on RFC 2045: an unquoted value ends at a semicolon.
#include "tokenizer/mime_parameters.h"

#include <algorithm>
#include <cstddef>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr ByteSet kBlanks(" \t\r\n");
constexpr ByteSet kNotInName("()<>@,;:\\\"/[]?=*\x7f");

bool InName(char c) { return c > ' ' && !kNotInName.Has(c); }

class ParameterMender {
 public:
  explicit ParameterMender(std::span<char> value) : value_(value) {}

  void Mend() {
    SkipType();
    while (!AtEnd()) {
      const size_t begin = ++at_;  // behind the semicolon
      if (!SkipParameter()) at_ = begin;
      SkipBlanks();
      BlankToSemicolon();
    }
  }

 private:
  bool AtEnd() const { return at_ == value_.size(); }
  bool IsAt(char c) const { return !AtEnd() && value_[at_] == c; }

  // In its comments, GMime takes some semicolons for the end.
  void SkipType() {
    while (!AtEnd() && !IsAt(';')) {
      const size_t begin = at_;
      if (!SkipComment()) ++at_;
      std::replace(value_.begin() + static_cast<ptrdiff_t>(begin),
                   value_.begin() + static_cast<ptrdiff_t>(at_), ';', ' ');
    }
  }

  // Returns whether there is one that GMime takes.
  bool SkipParameter() {
    SkipBlanks();
    const size_t name = at_;
    while (!AtEnd() && InName(value_[at_])) ++at_;
    if (at_ == name) return false;
    SkipBlanks();
    SkipSection();
    if (!IsAt('=')) return false;
    ++at_;
    SkipBlanks();
    if (IsAt('"')) {
      SkipQuoted();
      return true;
    }
    const size_t value = at_;
    while (!AtEnd() && !IsAt(';')) ++at_;
    return at_ > value;
  }

  // Of RFC 2231: "*", "*0" or "*0*".
  void SkipSection() {
    for (int stars = 0; stars < 2 && IsAt('*'); ++stars) {
      ++at_;
      SkipBlanks();
      while (stars == 0 && !AtEnd() && IsAsciiDigit(value_[at_])) ++at_;
      SkipBlanks();
    }
  }

  void SkipQuoted() {
    for (++at_; !AtEnd() && !IsAt('"'); ++at_) {
      if (IsAt('\\') && at_ + 1 < value_.size()) ++at_;
    }
    if (!AtEnd()) ++at_;
  }

  // Blanks and comments.
  void SkipBlanks() {
    do {
      while (!AtEnd() && kBlanks.Has(value_[at_])) ++at_;
    } while (SkipComment());
  }

  // Returns whether there is one that ends.
  bool SkipComment() {
    if (!IsAt('(') || !comments_end_) return false;
    size_t depth = 0;
    for (size_t i = at_; i < value_.size(); ++i) {
      if (value_[i] == '\\') {
        ++i;
      } else if (value_[i] == '(') {
        ++depth;
      } else if (value_[i] == ')' && --depth == 0) {
        at_ = i + 1;
        return true;
      }
    }
    comments_end_ = false;
    return false;
  }

  // What is in quotation marks is one piece.
  void BlankToSemicolon() {
    const size_t begin = at_;
    while (!AtEnd() && !IsAt(';')) {
      if (IsAt('"')) {
        SkipQuoted();
      } else {
        ++at_;
      }
    }
    for (char& c : value_.subspan(begin, at_ - begin)) {
      if (!kBlanks.Has(c)) c = ' ';
    }
  }

  std::span<char> value_;
  size_t at_ = 0;
  bool comments_end_ = true;  // so far: where one does not, none is looked for again
};

}  // namespace

void BlankBadParameters(std::span<char> value) { ParameterMender(value).Mend(); }

}  // namespace thresher::tokenizer

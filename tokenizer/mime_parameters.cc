// Reads parameters as GMime does where it does not insist on RFC 2045: an unquoted value ends at a semicolon.
// Mail programs end it at a blank, too, but for file names, and take what follows an open quotation mark for
// the value.
#include "tokenizer/mime_parameters.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kMostOpenComments = 16;

constexpr ByteSet kBlanks(" \t\r\n");
constexpr ByteSet kNotInName("()<>@,;:\\\"/[]?=*\x7f");

bool InName(char c) { return static_cast<unsigned char>(c) > ' ' && !kNotInName.Has(c); }

// A place in a value.
class ValueCursor {
 public:
  explicit ValueCursor(std::string_view value) : text_(value) {}

  // Behind "multipart/" at the start, unless a subtype is there; else npos.
  size_t PlaceOfSubtype() {
    constexpr std::string_view kMultipart = "multipart";
    SkipBlanks();
    if (!StartsWithIgnoringCase(text_.substr(at_), kMultipart)) return std::string_view::npos;
    at_ += kMultipart.size();
    SkipBlanks();
    if (!IsAt('/')) return std::string_view::npos;
    const size_t place = ++at_;
    SkipBlanks();
    return !AtEnd() && (InName(text_[at_]) || IsAt('*')) ? std::string_view::npos : place;
  }

 protected:
  bool AtEnd() const { return at_ == text_.size(); }
  bool IsAt(char c) const { return !AtEnd() && text_[at_] == c; }

  // Blanks and comments.
  void SkipBlanks() {
    do {
      while (!AtEnd() && kBlanks.Has(text_[at_])) ++at_;
    } while (SkipComment());
  }

  // Returns whether there is one that ends.
  bool SkipComment() {
    if (!IsAt('(') || open_comments_ == kMostOpenComments) return false;
    size_t depth = 0;
    for (size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == '(') {
        ++depth;
      } else if (text_[i] == ')' && --depth == 0) {
        at_ = i + 1;
        return true;
      }
    }
    ++open_comments_;
    return false;
  }

  size_t at_ = 0;

 private:
  std::string_view text_;
  size_t open_comments_ = 0;  // that do not end; so that the time is linear
};

class ParameterMender : private ValueCursor {
 public:
  explicit ParameterMender(std::span<char> value)
      : ValueCursor({value.data(), value.size()}), value_(value) {}

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
    const std::string_view named(&value_[name], at_ - name);
    const bool is_file_name = EqualsIgnoringCase(named, "name") || EqualsIgnoringCase(named, "filename");
    SkipBlanks();
    SkipSection();
    if (!IsAt('=')) return false;
    ++at_;
    SkipBlanks();
    if (IsAt('"')) {
      const size_t end = EndOfQuoted();
      if (end != std::string_view::npos) {
        at_ = end;
        return true;
      }
      value_[at_] = ' ';
      SkipBlanks();
    }
    if (IsAt('(')) return false;  // GMime would look for the end of the comment to the end of the header
    const size_t value = at_;
    while (!AtEnd() && !IsAt(';') && (is_file_name || !kBlanks.Has(value_[at_]))) ++at_;
    if (at_ == value) return false;
    const size_t end = at_;
    SkipBlanks();
    Blank(end);
    return true;
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

  // Behind the quotation mark that ends the text in those at at_; npos if there is none.
  size_t EndOfQuoted() const {
    for (size_t i = at_ + 1; i < value_.size(); ++i) {
      if (value_[i] == '"') return i + 1;
      if (value_[i] == '\\') ++i;
    }
    return std::string_view::npos;
  }

  // What is in quotation marks is one piece.
  void BlankToSemicolon() {
    const size_t begin = at_;
    while (!AtEnd() && !IsAt(';')) {
      const bool may_be_quoted = IsAt('"') && quotes_end_;
      const size_t end = may_be_quoted ? EndOfQuoted() : std::string_view::npos;
      if (may_be_quoted) quotes_end_ = end != std::string_view::npos;
      at_ = end == std::string_view::npos ? at_ + 1 : end;
    }
    Blank(begin);
  }

  // What is from there up to at_.
  void Blank(size_t begin) {
    for (char& c : value_.subspan(begin, at_ - begin)) {
      if (!kBlanks.Has(c)) c = ' ';
    }
  }

  std::span<char> value_;
  // In what is no parameter; where one does not, none is looked for again, so that the time is linear.
  bool quotes_end_ = true;
};

}  // namespace

void BlankBadParameters(std::span<char> value) {
  std::ranges::replace(value, '\0', ' ');  // where GMime's strings end
  ParameterMender(value).Mend();
}

size_t PlaceOfMissingSubtype(std::string_view value) { return ValueCursor(value).PlaceOfSubtype(); }

}  // namespace thresher::tokenizer

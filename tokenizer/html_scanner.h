// Splits HTML into text, tags and comments where browsers split it (the tokeniser of the HTML standard), in
// one pass without a copy.
//
// Called by the HTML renderer. libxml2's parser is not used because it loses the text after </html>, after a
// stray end tag or after a NUL byte, and takes quadratic time for attributes and unmatched end tags.
// Thread-safety: a scanner serves one thread. Accepts any bytes; linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

struct HtmlAttribute {
  std::string_view name;   // as written
  uint64_t key;            // HtmlNameKey of it
  std::string_view value;  // without quotes, entities not decoded
};

struct HtmlToken {
  enum class Kind { kText, kStartTag, kEndTag, kComment };
  Kind kind = Kind::kText;
  std::string_view text;  // text; a tag's name as written; a comment's content
  uint64_t key = 0;       // HtmlNameKey of a tag's name
  // Of a start tag, the first of each name. Of many, only those that say where links lead and what is seen.
  std::vector<HtmlAttribute> attributes;
  bool closes_itself = false;  // a tag that ends in "/>"
};

// The attribute with that HtmlNameKey, or null.
const HtmlAttribute* FindAttribute(const HtmlToken& tag, uint64_t key);

class HtmlScanner {
 public:
  explicit HtmlScanner(std::string_view html) : rest_(html) {}

  // The next token, or false at the end. A tag or comment without an end extends to the end of the text. In
  // SVG and MathML (is_foreign), "<![CDATA[x]]>" is the text x.
  bool Next(HtmlToken* token, bool is_foreign = false);

  // Call after a start tag `name` whose content is not HTML (script, style, title): takes all text up to its
  // end tag.
  std::string_view TakeRawText(std::string_view name);

 private:
  size_t EndOfScript() const;  // where "</script" begins
  void TakeText(HtmlToken* token);
  bool TakeMarkup(HtmlToken* token, bool is_foreign);
  bool TakeTag(HtmlToken* token);
  void TakeComment(size_t begin, size_t end, size_t size, HtmlToken* token);
  void TakeDashComment(HtmlToken* token);
  void TakeCdata(HtmlToken* token);

  std::string_view rest_;
};

}  // namespace thresher::tokenizer

// HTML as the text a reader sees, its links, and the structure that gives spam away.
//
// Called by the tokenizer with UTF-8. Total: any bytes are safe; linear time; nesting beyond the limit is
// cut. Thread-safety: RenderHtml may run in many threads at once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

struct HtmlRendering {
  // Text with a space or newline where an element breaks words (block elements, <br>, <td>); none where it
  // does not (<b>, <font>), so that "V<b></b>iagra" reads "Viagra". Script, style and comment content is not
  // text. Entities are decoded.
  std::string text;
  // Text that a reader does not see (display:none, font-size 0, colour equal to background where both are
  // plain): also in no case lost.
  std::string hidden_text;
  // Values of href, src, action and background attributes, one per line.
  std::string links;
  // Structure tokens, one per line: "tag:img", "attr:bgcolor=#ff0000", "comment-in-word",
  // "link-text-mismatch", "hidden-text", "tiny-image" … (all in html_structure.cc): each a short ASCII word,
  // distinct ones only.
  std::string structure;
  bool truncated = false;  // deeper than the limit
};

// Replaces *out.
void RenderHtml(std::string_view utf8, size_t depth_limit, HtmlRendering* out);

}  // namespace thresher::tokenizer

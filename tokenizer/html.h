// Renders HTML: the text a reader sees, the text that is hidden, the links, and structure that is typical of
// spam.
//
// Called by the tokenizer with UTF-8. Accepts any bytes; takes linear time, since a tag looks at no more
// elements around it than the depth limit allows (html_element_stack.h). Thread-safety: RenderHtml may run in
// many threads at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/text_list.h"

namespace thresher::tokenizer {

struct HtmlRendering {
  // Visible text. A space or newline stands where an element breaks words (block elements, <br>, <td>,
  // <img>), and nothing where it does not (<b>, <font>, what is not shown, end tags that end nothing), so
  // that "V<b></b>iagra" reads "Viagra". Content of scripts, styles and comments is not text. Entities are
  // decoded.
  std::string text;
  // Text that a reader does not see: display:none, font-size 0, a box without height or width that cuts what
  // does not fit, <template>, or a colour equal to the background where both are known.
  std::string hidden_text;
  // What may hold links but is not rendered: conditional comments, of which Outlook shows some, scripts, and
  // what pictures (SVG) hold that is no text.
  std::string unrendered;
  // Values of href, src, action, background and other attributes.
  TextList links;
  // Structure tokens: "tag:img", "attr:bgcolor=#ff0000", "comment-in-word", "link-text-mismatch",
  // "hidden-text", "tiny-image" … Each is a short ASCII word and occurs once. html_structure.cc lists them
  // all.
  TextList structure;
  bool truncated = false;  // elements were nested deeper than the limit
};

// Replaces *out.
void RenderHtml(std::string_view utf8, size_t depth_limit, HtmlRendering* out);

}  // namespace thresher::tokenizer

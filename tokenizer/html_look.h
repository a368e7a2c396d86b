// How a start tag makes its element look: by browsers' own style sheets, its attributes, and its style.
//
// Called by the HTML renderer. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include "tokenizer/html_elements.h"
#include "tokenizer/html_scanner.h"
#include "tokenizer/html_style.h"

namespace thresher::tokenizer {

// `around` is the look of the element in which the tag stands; `element` that of the tag, null if it is
// unknown or stands in SVG or MathML.
Look LookOf(const HtmlToken& tag, const HtmlElement* element, const Look& around);

}  // namespace thresher::tokenizer

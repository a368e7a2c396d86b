// SVG and MathML within HTML, whose elements are read in another way.
//
// Called by the HTML renderer. Thread-safety: pure functions. Source: the HTML standard, "The rules for
// parsing tokens in foreign content".
#pragma once

#include <cstdint>

#include "tokenizer/html_scanner.h"

namespace thresher::tokenizer {

enum class HtmlLanguage : uint8_t { kHtml, kSvg, kMath };

// The language within an element that stands where the language is `around`.
HtmlLanguage LanguageWithin(HtmlLanguage around, const HtmlToken& tag);

// Whether a start tag ends the SVG or MathML that it stands in.
bool EndsForeign(const HtmlToken& tag);

}  // namespace thresher::tokenizer

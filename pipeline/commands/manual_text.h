// Text of the help and of the reference pages as roff, the language of man pages.
//
// Called by manual_page.cc. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace thresher::pipeline {

// One line of text: `code` becomes bold, [text](address) becomes text, and what roff would take for a command
// is escaped.
std::string ManualLine(std::string_view text);

// Paragraphs, which are filled; one that begins with a space is shown as it is.
std::string ManualParagraphs(std::string_view text);

// The words as they stand, in bold or italics, to be typed or to be replaced.
std::string Bold(std::string_view words);
std::string Italic(std::string_view words);

}  // namespace thresher::pipeline

// How attributes and styles make text look, as far as needed to recognise text that nobody can read.
//
// Called by the HTML renderer. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "tokenizer/html_display.h"

namespace thresher::tokenizer {

// How the text of an element looks.
struct Look {
  // What hides text. An element may show again what visibility, font size or a box (html_box.h) hide around
  // it.
  enum Cause : uint8_t {
    kDisplay = 1,
    kOpacity = 2,
    kVisibility = 4,
    kFontSize = 8,
    kOuter = 16,
    kNoText = 32,  // a style sheet in SVG, for example
    kBox = 64,
    kHoldingBox = 128,  // besides kBox: it hides also what is placed absolutely in it
  };

  // As in css_colour.h, the background opaque; nothing if it is unknown (a picture, a style sheet).
  std::optional<uint32_t> colour = 0x000000;
  std::optional<uint32_t> background = 0xFFFFFF;
  uint8_t hidden_by = 0;                 // a set of causes
  HtmlFlow flow = HtmlFlow::kOfElement;  // not inherited

  // What an element within this one has before its own attributes are read.
  Look Inherited() const;
  // This look if the element around it looked `now` instead of `before`: what was as around it was inherited.
  Look Moved(const Look& before, const Look& now) const;
  void SetHidden(Cause cause, bool is_hidden);
  bool IsHiddenBy(Cause cause) const { return (hidden_by & cause) != 0; }
  // Hidden, or its colour is too similar to the background.
  bool IsUnreadable() const;
  // Whether its blanks keep words around it apart, although it may be unreadable.
  bool TakesRoom() const { return (hidden_by & (kDisplay | kFontSize | kOuter | kNoText | kBox)) == 0; }
};

// "#f00", "#ff0000", "#ff0000ff", "ff0000", "rgb(255,0,0)", "red", "transparent".
std::optional<uint32_t> ParseColour(std::string_view value);

// Calls visit(property, value) for the declarations of a style attribute, in lower case, trimmed and without
// comments; those that are "!important" last.
void ForEachDeclaration(std::string_view style,
                        const std::function<void(std::string_view, std::string_view)>& visit);

// Applies one declaration, or an attribute of the same meaning, to *look. `around` is how the element would
// look without any. Browsers ignore values that are not valid, so that the last valid declaration counts.
void ApplyDeclaration(std::string_view property, std::string_view value, const Look& around, Look* look);

}  // namespace thresher::tokenizer

// How attributes and styles make text look, as far as needed to recognise text that nobody can read.
//
// Called by the HTML renderer. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace thresher::tokenizer {

// How the text of an element looks.
struct Look {
  // What hides text. An element may show again what visibility or font size hide around it.
  enum Cause : uint8_t {
    kDisplay = 1,
    kOpacity = 2,
    kVisibility = 4,
    kFontSize = 8,
    kOuter = 16,
    kNoText = 32,  // a style sheet in SVG, for example
  };
  // Whether an element stands on lines of its own.
  enum class Flow : uint8_t { kOfElement, kInline, kBlock };

  // 0xRRGGBB, or nothing if it is unknown (a picture, a style sheet).
  std::optional<uint32_t> colour = 0x000000;
  std::optional<uint32_t> background = 0xFFFFFF;
  uint8_t hidden_by = 0;         // a set of causes
  Flow flow = Flow::kOfElement;  // not inherited

  // What an element within this one has before its own attributes are read.
  Look Inherited() const;
  void SetHidden(Cause cause, bool is_hidden);
  bool IsNoText() const { return (hidden_by & kNoText) != 0; }
  // Hidden, or its colour is too similar to the background.
  bool IsUnreadable() const;
};

// "#f00", "#ff0000", "ff0000", "rgb(255,0,0)", "red".
std::optional<uint32_t> ParseColour(std::string_view value);

// Calls visit(property, value) for the declarations of a style attribute, in lower case, trimmed and without
// comments; those that are "!important" last.
void ForEachDeclaration(std::string_view style,
                        const std::function<void(std::string_view, std::string_view)>& visit);

// Applies one declaration, or an attribute of the same meaning, to *look.
void ApplyDeclaration(std::string_view property, std::string_view value, Look* look);

}  // namespace thresher::tokenizer

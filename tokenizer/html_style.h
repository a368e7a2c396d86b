// How attributes and styles make text look, as far as needed to recognise text that nobody can read.
//
// Called by the HTML renderer. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace thresher::tokenizer {

// What an element inherits from the one around it.
struct Look {
  // 0xRRGGBB, or nothing if it is unknown (a picture, a style sheet).
  std::optional<uint32_t> colour = 0x000000;
  std::optional<uint32_t> background = 0xFFFFFF;
  bool is_hidden = false;  // by a style: display:none, font-size:0, and others

  // Hidden, or its colour is too similar to the background.
  bool IsUnreadable() const;
};

// "#f00", "#ff0000", "ff0000", "rgb(255,0,0)", "red".
std::optional<uint32_t> ParseColour(std::string_view value);

// Calls visit(property, value) for the declarations of a style attribute, in lower case and without white
// space. Of a very long attribute only the beginning is read.
void ForEachDeclaration(std::string_view style,
                        const std::function<void(std::string_view, std::string_view)>& visit);

// Applies one declaration, or an attribute of the same meaning, to *look.
void ApplyDeclaration(std::string_view property, std::string_view value, Look* look);

}  // namespace thresher::tokenizer

// How an element's attributes make its text look: as far as it takes to tell text that nobody can read.
//
// Called by the HTML renderer. Thread-safety: pure functions. Total and linear.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace thresher::tokenizer {

// What an element inherits and hands on.
struct Look {
  // 0xRRGGBB, or nothing where it cannot be told (a picture, a style sheet).
  std::optional<uint32_t> colour = 0x000000;
  std::optional<uint32_t> background = 0xFFFFFF;
  bool is_hidden = false;  // by a style: display:none, font-size:0 …

  // Hidden, or of its background's colour, or so near that the eye cannot tell.
  bool IsUnreadable() const;
};

// "#f00", "#ff0000", "ff0000", "rgb(255,0,0)", "red".
std::optional<uint32_t> ParseColour(std::string_view value);

// Calls visit(property, value) for the declarations of a style attribute, lower-cased and without white
// space. Of a very long one only the beginning.
void ForEachDeclaration(std::string_view style,
                        const std::function<void(std::string_view, std::string_view)>& visit);

// Applies one declaration, or an attribute of the same meaning (see html_style.cc), to a look.
void ApplyDeclaration(std::string_view property, std::string_view value, Look* look);

}  // namespace thresher::tokenizer

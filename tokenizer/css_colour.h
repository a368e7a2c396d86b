// Colours of CSS as numbers, and those that are written as functions.
//
// Called by the HTML renderer's readers of styles. Thread-safety: pure functions. Accepts any bytes.
//
// A colour is 0xTTRRGGBB, where TT says how transparent it is: 0x00 is opaque, 0xFF is wholly transparent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace thresher::tokenizer {

inline constexpr uint32_t kTransparent = 0xFF000000;

constexpr bool IsOpaque(uint32_t colour) { return colour < 0x01000000; }
constexpr bool IsTransparent(uint32_t colour) { return colour >= kTransparent; }

// The colour of which a share of `alpha` is opaque, from 0 to 1; what is beyond counts as 0 or 1.
uint32_t WithAlpha(uint32_t rgb, double alpha);

// What is seen of `colour` over `background`, which is opaque.
uint32_t Over(uint32_t background, uint32_t colour);

// "red", "WhiteSmoke", …; nothing if it is no name of CSS.
std::optional<uint32_t> ColourOfName(std::string_view name);

// "rgb(255,0,0)", "rgba(100% 0% 0% / .5)", "hsl(120deg,100%,50%)"; `value` is in lower case and may go on
// behind it. Nothing if it is none of these, or a number in it is computed.
std::optional<uint32_t> ParseColourFunction(std::string_view value);

}  // namespace thresher::tokenizer

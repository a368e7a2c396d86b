#include "tokenizer/html_box.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/css_values.h"
#include "tokenizer/html_display.h"
#include "tokenizer/html_text_size.h"

namespace thresher::tokenizer {
namespace {

enum class Extent : uint8_t { kInvalid, kNone, kSome };

bool IsWordIn(std::string_view value, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, value) != words.end();
}

// Whether a value that is not known here may be valid: a function, or a word with a hyphen.
bool MayBeValid(std::string_view value) { return value.find_first_of("(-") != std::string_view::npos; }

// Whether any property has the value, also by a variable that is not defined, which is "unset".
bool IsOfAnyProperty(std::string_view value) {
  return IsAsAround(value) || IsComputed(value) || value == "initial";
}

// Whether the property may give the box a size in a way that depends on something else.
bool MaySetSize(std::string_view property) {
  constexpr auto kEnds = std::to_array<std::string_view>(
      {"block-size", "inline-size", "logical-height", "logical-width", "overflow-block", "overflow-inline",
       "flex", "flex-basis", "flex-grow"});
  return std::ranges::any_of(kEnds, [property](std::string_view end) { return property.ends_with(end); });
}

bool IsPadding(std::string_view property) {
  return property.starts_with("padding") || property.starts_with("-webkit-padding") ||
         property.starts_with("-moz-padding");
}

// How much a size is. A share of something unknown may be anything.
Extent ExtentOf(std::string_view value, bool is_share_known) {
  if (const std::optional<CssNumber> number = ParseCssNumber(value)) {
    if (number->number < 0 || !IsCssLength(number->unit)) return Extent::kInvalid;
    const bool is_none = number->number == 0 && (number->unit != "%" || is_share_known);
    return is_none ? Extent::kNone : Extent::kSome;
  }
  const bool is_valid = IsOfAnyProperty(value) || MayBeValid(value) ||
                        IsWordIn(value, {"auto", "contain", "intrinsic", "none", "stretch"});
  return is_valid ? Extent::kSome : Extent::kInvalid;
}

void SetBit(uint8_t bit, bool is_set, uint8_t* bits) {
  *bits = static_cast<uint8_t>(is_set ? *bits | bit : *bits & ~bit);
}

}  // namespace

void HtmlBox::Apply(std::string_view property, std::string_view value) {
  const bool has_escape =
      property.find('\\') != std::string_view::npos || value.find('\\') != std::string_view::npos;
  if (has_escape || MaySetSize(property)) {
    SetBit(kUnknown, true, &room_);
  } else if (property == "height") {
    ApplySize(kHeight, value);
  } else if (property == "max-height") {
    ApplySize(kMaxHeight, value);
  } else if (property == "width") {
    ApplyWidth(value);
  } else if (property == "max-width") {
    ApplySize(kMaxWidth, value);
  } else if (property == "min-height") {
    ApplyRoom(kMinHeight, value);
  } else if (property == "min-width") {
    ApplyRoom(kMinWidth, value);
  } else if (IsPadding(property)) {
    ApplyRoom(kPadding, value);
  } else if (property == "overflow") {
    ApplyOverflow(value, true, true);
  } else if (property == "overflow-x") {
    ApplyOverflow(value, true, false);
  } else if (property == "overflow-y") {
    ApplyOverflow(value, false, true);
  } else if (property == "display") {
    ApplyDisplay(value);
  } else if (property == "position") {
    ApplyPosition(value);
  } else if (property == "float") {
    ApplyFloat(value);
  } else if (property == "all" && (IsAsAround(value) || value == "initial")) {
    *this = HtmlBox();
    display_ = Display::kOther;
  }
}

bool HtmlBox::HidesText(bool is_block) const {
  if (!cuts_x_ && !cuts_y_) return false;
  const bool has_size = display_ == Display::kWithSize || (display_ == Display::kOfElement && is_block) ||
                        ((IsPlacedApart() || floats_) && display_ != Display::kOther);
  const bool has_height = (none_ & (kHeight | kMaxHeight)) == 0 || (room_ & kMinHeight) != 0;
  const bool has_width = (none_ & (kWidth | kMaxWidth)) == 0 || (room_ & kMinWidth) != 0;
  return has_size && (!has_height || !has_width) && (room_ & (kPadding | kUnknown)) == 0;
}

void HtmlBox::ApplySize(Size size, std::string_view value) {
  if (const Extent extent = ExtentOf(value, size == kMaxWidth); extent != Extent::kInvalid)
    SetBit(size, extent == Extent::kNone, &none_);
}

void HtmlBox::ApplyWidth(std::string_view value) {
  const Extent extent = ExtentOf(value, true);
  if (extent == Extent::kInvalid) return;
  SetBit(kWidth, extent == Extent::kNone, &none_);
  const std::optional<CssNumber> number = ParseCssNumber(value);
  is_pixel_wide_ = number && number->number <= 1 && (number->unit.empty() || number->unit == "px");
}

// Text shows in the padding, too, so once there may be some, it is not known to be hidden.
void HtmlBox::ApplyRoom(Room room, std::string_view value) {
  const auto is_none = [](std::string_view size) { return ExtentOf(size, true) == Extent::kNone; };
  bool has_room = false;
  while (!value.empty()) {
    const auto* const end = std::find_if(value.begin(), value.end(), IsAsciiSpace);
    const std::string_view size = value.substr(0, static_cast<size_t>(end - value.begin()));
    value = Trim(value.substr(size.size()));
    has_room = has_room || !is_none(size);
  }
  if (has_room || room != kPadding) SetBit(room, has_room, &room_);
}

// What one axis cuts, the other one does not show either.
void HtmlBox::ApplyOverflow(std::string_view value, bool x, bool y) {
  const auto* const end = std::find_if(value.begin(), value.end(), IsAsciiSpace);
  const std::string_view first = value.substr(0, static_cast<size_t>(end - value.begin()));
  const std::string_view second = Trim(value.substr(first.size()));
  const auto is_valid = [](std::string_view word) {
    return IsOfAnyProperty(word) ||
           IsWordIn(word, {"hidden", "visible", "clip", "scroll", "auto", "overlay"});
  };
  const bool is_known = !MayBeValid(value);
  if (is_known && (!is_valid(first) || !(second.empty() || is_valid(second)))) return;
  if (x) cuts_x_ = is_known && first == "hidden";
  if (y) cuts_y_ = is_known && (second.empty() ? first : second) == "hidden";
}

void HtmlBox::ApplyDisplay(std::string_view value) {
  if (!FlowOfDisplay(value) && !IsComputed(value)) return;
  const bool has_size = IsWordIn(
      value, {"block", "inline-block", "flow-root", "flex", "inline-flex", "grid", "inline-grid", "list-item",
              "-webkit-box", "-webkit-flex", "-webkit-inline-box", "-webkit-inline-flex"});
  // Blocks are made of inline elements that are placed apart or float, but not of parts of tables.
  display_ = has_size ? Display::kWithSize : value == "inline" ? Display::kInline : Display::kOther;
}

void HtmlBox::ApplyPosition(std::string_view value) {
  if (value == "absolute") {
    place_ = Place::kAbsolute;
  } else if (value == "fixed") {
    place_ = Place::kFixed;
  } else if (IsWordIn(value, {"relative", "sticky", "-webkit-sticky"})) {
    place_ = Place::kRelative;
  } else if (value == "static" || IsOfAnyProperty(value)) {
    place_ = Place::kInFlow;
  }
}

void HtmlBox::ApplyFloat(std::string_view value) {
  if (IsWordIn(value, {"left", "right", "inline-start", "inline-end"})) {
    floats_ = true;
  } else if (value == "none" || IsOfAnyProperty(value)) {
    floats_ = false;
  }
}

}  // namespace thresher::tokenizer

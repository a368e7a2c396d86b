#include "tokenizer/html_box.h"

#include <algorithm>
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

// How much a size is. A share of something unknown may be anything.
Extent ExtentOf(std::string_view value, bool is_share_known) {
  if (const std::optional<CssNumber> number = ParseCssNumber(value)) {
    if (number->number < 0 || !IsCssLength(number->unit)) return Extent::kInvalid;
    const bool is_none = number->number == 0 && (number->unit != "%" || is_share_known);
    return is_none ? Extent::kNone : Extent::kSome;
  }
  const bool is_valid =
      IsAsAround(value) || IsComputed(value) ||
      IsWordIn(value, {"auto", "none", "initial", "min-content", "max-content", "fit-content",
                       "-webkit-fit-content", "-moz-fit-content", "stretch", "-webkit-fill-available"});
  return is_valid ? Extent::kSome : Extent::kInvalid;
}

void SetBit(uint8_t bit, bool is_set, uint8_t* bits) {
  *bits = static_cast<uint8_t>(is_set ? *bits | bit : *bits & ~bit);
}

}  // namespace

void HtmlBox::Apply(std::string_view property, std::string_view value) {
  if (property == "height") {
    ApplySize(kHeight, value);
  } else if (property == "max-height") {
    ApplySize(kMaxHeight, value);
  } else if (property == "width") {
    ApplySize(kWidth, value);
  } else if (property == "max-width") {
    ApplySize(kMaxWidth, value);
  } else if (property == "min-height") {
    ApplyRoom(kMinHeight, value);
  } else if (property == "min-width") {
    ApplyRoom(kMinWidth, value);
  } else if (property.starts_with("padding")) {
    ApplyRoom(kPadding, value);
  } else if (IsWordIn(property, {"flex", "flex-basis", "flex-grow"})) {
    SetBit(kGrowth, true, &room_);
  } else if (property == "overflow") {
    ApplyOverflow(value, true, true);
  } else if (property == "overflow-x") {
    ApplyOverflow(value, true, false);
  } else if (property == "overflow-y") {
    ApplyOverflow(value, false, true);
  } else if (property == "display") {
    ApplyDisplay(value);
  } else if (property == "position") {
    is_placed_ = IsWordIn(value, {"absolute", "fixed"});
  } else if (property == "float") {
    floats_ = IsWordIn(value, {"left", "right"});
  } else if (property == "all" && (IsAsAround(value) || value == "initial")) {
    *this = HtmlBox();
    display_ = Display::kOther;
  }
}

bool HtmlBox::HidesText(bool is_block) const {
  if (!cuts_x_ && !cuts_y_) return false;
  const bool has_size = display_ == Display::kWithSize || (display_ == Display::kOfElement && is_block) ||
                        ((is_placed_ || floats_) && display_ != Display::kOther);
  const bool has_height = (none_ & (kHeight | kMaxHeight)) == 0 || (room_ & kMinHeight) != 0;
  const bool has_width = (none_ & (kWidth | kMaxWidth)) == 0 || (room_ & kMinWidth) != 0;
  return has_size && (!has_height || !has_width) && (room_ & (kPadding | kGrowth)) == 0;
}

void HtmlBox::ApplySize(Size size, std::string_view value) {
  const bool is_share_known = size == kWidth || size == kMaxWidth;
  if (const Extent extent = ExtentOf(value, is_share_known); extent != Extent::kInvalid)
    SetBit(size, extent == Extent::kNone, &none_);
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
    return IsAsAround(word) ||
           IsWordIn(word, {"hidden", "visible", "clip", "scroll", "auto", "initial", "overlay"});
  };
  if (!is_valid(first) || !(second.empty() || is_valid(second))) return;
  if (x) cuts_x_ = first == "hidden";
  if (y) cuts_y_ = (second.empty() ? first : second) == "hidden";
}

void HtmlBox::ApplyDisplay(std::string_view value) {
  if (!FlowOfDisplay(value)) return;
  const bool has_size = IsWordIn(
      value, {"block", "inline-block", "flow-root", "flex", "inline-flex", "grid", "inline-grid", "list-item",
              "-webkit-box", "-webkit-flex", "-webkit-inline-box", "-webkit-inline-flex"});
  // Blocks are made of inline elements that are placed apart or float, but not of parts of tables.
  display_ = has_size ? Display::kWithSize : value == "inline" ? Display::kInline : Display::kOther;
}

}  // namespace thresher::tokenizer

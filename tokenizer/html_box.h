// Whether the box of an element is so small that no text in it shows, and whether a picture keeps words
// apart.
//
// Called by html_look.cc with the declarations of a style. Accepts any bytes; linear time. Thread-safety: a
// plain value.
#pragma once

#include <cstdint>
#include <string_view>

namespace thresher::tokenizer {

// Size, place and overflow of an element, as far as its style says them. Browsers ignore values that are not
// valid, so that the last valid declaration counts. One that is unknown here but may be valid may give the
// box a size, and so may one with a backslash, which may stand for anything.
class HtmlBox {
 public:
  // kRelative: in the flow, but what is placed absolutely in it has its place from it, as in the others.
  enum class Place : uint8_t { kInFlow, kRelative, kAbsolute, kFixed };

  // `property` and `value` in lower case.
  void Apply(std::string_view property, std::string_view value);

  // Whether the box has no height or no width, and cuts what does not fit. `is_block`: whether the element is
  // a block where no style says otherwise; others have no size of their own, and parts of tables have the
  // size of what is in them.
  bool HidesText(bool is_block) const;

  Place place() const { return place_; }

  // Whether it is placed without regard to what is around.
  bool IsPlacedApart() const { return place_ == Place::kAbsolute || place_ == Place::kFixed; }

  // Whether a picture with this box takes no room between words: it is a pixel wide, or beside the text.
  bool LeavesNoGap(bool is_block) const {
    return floats_ || IsPlacedApart() || (is_pixel_wide_ && !is_block);
  }

 private:
  enum Size : uint8_t { kHeight = 1, kMaxHeight = 2, kWidth = 4, kMaxWidth = 8 };
  enum Room : uint8_t { kMinHeight = 1, kMinWidth = 2, kPadding = 4, kUnknown = 8 };
  enum class Display : uint8_t { kOfElement, kInline, kWithSize, kOther };

  void ApplySize(Size size, std::string_view value);
  void ApplyWidth(std::string_view value);
  void ApplyRoom(Room room, std::string_view value);
  void ApplyOverflow(std::string_view value, bool x, bool y);
  void ApplyDisplay(std::string_view value);
  void ApplyPosition(std::string_view value);
  void ApplyFloat(std::string_view value);

  uint8_t none_ = 0;  // of Size: those that are 0
  uint8_t room_ = 0;  // of Room: those that may be more than 0
  Display display_ = Display::kOfElement;
  Place place_ = Place::kInFlow;
  bool floats_ = false;
  bool is_pixel_wide_ = false;
  bool cuts_x_ = false;
  bool cuts_y_ = false;
};

}  // namespace thresher::tokenizer

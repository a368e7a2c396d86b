// Whether the box of an element is so small that no text in it shows.
//
// Called by html_look.cc with the declarations of a style. Accepts any bytes; linear time. Thread-safety: a
// plain value.
#pragma once

#include <cstdint>
#include <string_view>

namespace thresher::tokenizer {

// Size and overflow of an element, as far as its style says them. Browsers ignore values that are not valid,
// so that the last valid declaration counts.
class HtmlBox {
 public:
  // `property` and `value` in lower case.
  void Apply(std::string_view property, std::string_view value);

  // Whether the box has no height or no width, and cuts what does not fit. `is_block`: whether the element is
  // a block where no style says otherwise; others have no size of their own, and parts of tables have the
  // size of what is in them.
  bool HidesText(bool is_block) const;

  // Whether it is placed without regard to what is around, so that this does not cut it.
  bool IsPlacedApart() const { return is_placed_; }

 private:
  enum Size : uint8_t { kHeight = 1, kMaxHeight = 2, kWidth = 4, kMaxWidth = 8 };
  enum Room : uint8_t { kMinHeight = 1, kMinWidth = 2, kPadding = 4, kGrowth = 8 };
  enum class Display : uint8_t { kOfElement, kInline, kWithSize, kOther };

  void ApplySize(Size size, std::string_view value);
  void ApplyRoom(Room room, std::string_view value);
  void ApplyOverflow(std::string_view value, bool x, bool y);
  void ApplyDisplay(std::string_view value);

  uint8_t none_ = 0;  // of Size: those that are 0
  uint8_t room_ = 0;  // of Room: those that may be more than 0
  Display display_ = Display::kOfElement;
  bool is_placed_ = false;
  bool floats_ = false;
  bool cuts_x_ = false;
  bool cuts_y_ = false;
};

}  // namespace thresher::tokenizer

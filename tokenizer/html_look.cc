#include "tokenizer/html_look.h"

#include <string>

#include "tokenizer/ascii.h"
#include "tokenizer/html_box.h"
#include "tokenizer/html_entities.h"

namespace thresher::tokenizer {
namespace {

// What browsers' own style sheets set, whatever is around: readers see a link and a button in white text.
void ApplyOwnStyle(const HtmlToken& tag, const HtmlElement* element, Look* look) {
  constexpr uint32_t kYellow = 0xFFFF00;
  switch (tag.key) {
    case HtmlNameKey("a"):
      if (FindAttribute(tag, HtmlNameKey("href")) != nullptr) look->colour = std::nullopt;
      break;
    case HtmlNameKey("mark"):
      look->colour = Look().colour;
      look->background = kYellow;
      break;
    case HtmlNameKey("button"):
    case HtmlNameKey("input"):
    case HtmlNameKey("select"):
      look->colour = look->background = std::nullopt;
      look->SetHidden(Look::kFontSize, false);
      break;
    case HtmlNameKey("dialog"):
      if (element != nullptr && FindAttribute(tag, HtmlNameKey("open")) == nullptr)
        look->SetHidden(Look::kDisplay, true);
      break;
    default:
      break;
  }
}

// A field that is not shown, whatever its style says.
bool IsHiddenField(const HtmlToken& tag) {
  if (tag.key != HtmlNameKey("input")) return false;
  const HtmlAttribute* type = FindAttribute(tag, HtmlNameKey("type"));
  return type != nullptr && EqualsIgnoringCase(type->value, "hidden");
}

// Whether it is a colour in styles, of which browsers make another in attributes: a function, or one with
// an alpha channel ("#rgba", "#rrggbbaa").
bool IsOnlyOfStyles(std::string_view colour) {
  return colour.find('(') != std::string_view::npos ||
         (colour.starts_with('#') && (colour.size() == 5 || colour.size() == 9));
}

// In attributes, browsers ignore "transparent".
void ApplyColour(std::string_view property, std::string_view value, const Look& around, Look* look) {
  value = Trim(value);
  if (EqualsIgnoringCase(value, "transparent")) return;
  ApplyDeclaration(property, IsOnlyOfStyles(value) ? std::string_view() : value, around, look);
}

void ApplyAttribute(const HtmlToken& tag, const HtmlAttribute& attribute, const Look& around, Look* look) {
  switch (attribute.key) {
    case HtmlNameKey("hidden"):
      look->SetHidden(Look::kDisplay, true);
      break;
    case HtmlNameKey("color"):
      if (tag.key == HtmlNameKey("font")) ApplyColour("color", attribute.value, around, look);
      break;
    case HtmlNameKey("text"):
      if (tag.key == HtmlNameKey("body")) ApplyColour("color", attribute.value, around, look);
      break;
    case HtmlNameKey("bgcolor"):
      if (HasHtmlBackground(tag.key)) ApplyColour("background-color", attribute.value, around, look);
      break;
    case HtmlNameKey("background"):
    case HtmlNameKey("class"):
    case HtmlNameKey("id"):
      look->background = std::nullopt;  // a picture; and a style sheet may set any background
      break;
    case HtmlNameKey("size"):
      if (tag.key == HtmlNameKey("font")) look->SetHidden(Look::kFontSize, false);
      break;
    default:
      break;
  }
}

bool IsPicture(const HtmlToken& tag) { return tag.key == HtmlNameKey("img"); }

// The box of an element without any style.
HtmlBox OwnBoxOf(const HtmlToken& tag, const HtmlElement* element) {
  HtmlBox box;
  const bool is_dialog = element != nullptr && tag.key == HtmlNameKey("dialog");
  if (is_dialog && FindAttribute(tag, HtmlNameKey("open")) != nullptr) {
    box.Apply("position", "absolute");
    box.Apply("padding", "1em");
  }
  if (IsPicture(tag)) {
    const HtmlAttribute* width = FindAttribute(tag, HtmlNameKey("width"));
    const HtmlAttribute* align = FindAttribute(tag, HtmlNameKey("align"));
    if (width != nullptr) box.Apply("width", Trim(width->value));
    if (align != nullptr) box.Apply("float", LowerAscii(Trim(align->value)));
  }
  return box;
}

void ApplyStyle(std::string_view style, const Look& around, Look* look, HtmlBox* box) {
  std::string decoded;
  if (style.find('&') != std::string_view::npos) {
    AppendAttribute(style, &decoded);
    style = decoded;
  }
  ForEachDeclaration(style, [&](std::string_view property, std::string_view value) {
    ApplyDeclaration(property, value, around, look);
    box->Apply(property, value);
  });
}

// A box cuts what is placed absolutely only if that has its place from the box or from an element in it.
void ApplyBox(const HtmlBox& box, bool is_block, Look* look) {
  using Place = HtmlBox::Place;
  const bool is_held = box.place() == Place::kAbsolute && look->IsHiddenBy(Look::kHoldingBox);
  if (box.IsPlacedApart() && !is_held) {
    look->SetHidden(Look::kBox, false);
    look->SetHidden(Look::kHoldingBox, false);
  }
  if (box.HidesText(is_block)) look->SetHidden(Look::kBox, true);
  if (box.place() != Place::kInFlow && look->IsHiddenBy(Look::kBox)) look->SetHidden(Look::kHoldingBox, true);
}

// Whether it is a block without any style.
bool IsBlockByItself(const HtmlElement* element) {
  return element != nullptr && element->breaks == HtmlBreak::kBlock;
}

}  // namespace

Look LookOf(const HtmlToken& tag, const HtmlElement* element, const Look& around) {
  const Look inherited = around.Inherited();
  Look look = inherited;
  if (tag.key == HtmlNameKey("head")) return look;  // text ends it
  ApplyOwnStyle(tag, element, &look);
  for (const HtmlAttribute& attribute : tag.attributes) ApplyAttribute(tag, attribute, inherited, &look);
  // Wherever it stands, the style counts more than other attributes.
  const HtmlAttribute* style = FindAttribute(tag, HtmlNameKey("style"));
  HtmlBox box = OwnBoxOf(tag, element);
  if (style != nullptr) ApplyStyle(style->value, inherited, &look, &box);
  // What a page cuts is the window's.
  const bool is_page = tag.key == HtmlNameKey("body") || tag.key == HtmlNameKey("html");
  if (!is_page) ApplyBox(box, IsBlockByItself(element), &look);
  if (IsPicture(tag) && box.LeavesNoGap(look.flow == HtmlFlow::kBlock)) look.flow = HtmlFlow::kAside;
  if (element != nullptr && (element->is_apart || IsHiddenField(tag))) look.SetHidden(Look::kOuter, true);
  return look;
}

}  // namespace thresher::tokenizer

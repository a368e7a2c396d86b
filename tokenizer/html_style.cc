#include "tokenizer/html_style.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "tokenizer/ascii.h"
#include "tokenizer/css_colour.h"
#include "tokenizer/css_values.h"
#include "tokenizer/html_text_size.h"

namespace thresher::tokenizer {
namespace {

// Two colours look the same if the sum of the differences of their channels is at most this.
constexpr int kSameColour = 36;

std::optional<uint32_t> ParseHex(std::string_view digits) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (digits.size() == 6) return value;
  if (digits.size() != 3) return std::nullopt;
  return (value >> 8 & 0xF) * 0x110000 | (value >> 4 & 0xF) * 0x1100 | (value & 0xF) * 0x11;
}

// Behind "#", where a fourth channel is how opaque the colour is.
std::optional<uint32_t> ParseHexWithAlpha(std::string_view digits) {
  const size_t channel = digits.size() / 4;
  if (digits.size() != 4 && digits.size() != 8) return ParseHex(digits);
  const std::optional<uint32_t> rgb = ParseHex(digits.substr(0, 3 * channel));
  int alpha = 0;
  for (size_t i = 3 * channel; i < digits.size(); ++i) alpha = alpha << 4 | HexValue(digits[i]);
  if (!rgb || alpha < 0) return std::nullopt;
  return WithAlpha(*rgb, alpha / (channel == 1 ? 15.0 : 255.0));
}

int Distance(uint32_t a, uint32_t b) {
  int sum = 0;
  for (const int shift : {16, 8, 0}) {
    sum += std::abs(static_cast<int>(a >> shift & 0xFF) - static_cast<int>(b >> shift & 0xFF));
  }
  return sum;
}

// Whether there is a picture in a background: a file or a gradient.
bool HasPicture(std::string_view value) {
  constexpr auto kPictures = std::to_array<std::string_view>({"url(", "gradient(", "image-set("});
  return std::any_of(kPictures.begin(), kPictures.end(), [value](std::string_view picture) {
    return value.find(picture) != std::string_view::npos;
  });
}

// A background may be a colour, a picture, or several values.
std::optional<uint32_t> ParseBackground(std::string_view value, std::optional<uint32_t> inherited) {
  if (HasPicture(value)) return std::nullopt;
  if (value == "none" || value == "inherit") return inherited;
  const std::optional<uint32_t> colour = ParseColour(value);
  if (!colour || IsOpaque(*colour)) return colour;
  return inherited && !IsTransparent(*colour) ? Over(*inherited, *colour) : inherited;
}

void ApplyDisplay(std::string_view value, Look* look) {
  // An undefined variable is the initial value.
  const auto flow = IsComputed(value) ? HtmlFlow::kInline : FlowOfDisplay(value);
  if (!flow && !IsHiddenDisplay(value)) return;
  look->SetHidden(Look::kDisplay, !flow);
  if (flow) look->flow = *flow;
}

void ApplyVisibility(std::string_view value, const Look& around, Look* look) {
  if (IsAsAround(value) || IsComputed(value)) {
    look->SetHidden(Look::kVisibility, around.IsHiddenBy(Look::kVisibility));
  } else if (value == "hidden" || value == "collapse") {
    look->SetHidden(Look::kVisibility, true);
  } else if (value == "visible" || value == "initial") {
    look->SetHidden(Look::kVisibility, false);
  }
}

// No element is more opaque than what is around it, so opacity that is unset or inherited hides nothing more.
void ApplyOpacity(std::string_view value, Look* look) {
  const std::optional<CssNumber> number = ParseCssNumber(value);
  const bool is_number = number && (number->unit.empty() || number->unit == "%");
  if (is_number || IsAsAround(value) || IsComputed(value) || value == "initial")
    look->SetHidden(Look::kOpacity, is_number && number->number <= 0);
}

void ApplySize(TextSize size, const Look& around, Look* look) {
  if (size == TextSize::kInvalid) return;
  const bool is_hidden =
      size == TextSize::kAsAround ? around.IsHiddenBy(Look::kFontSize) : size == TextSize::kUnreadable;
  look->SetHidden(Look::kFontSize, is_hidden);
}

// All properties at once.
void ApplyAll(std::string_view value, const Look& around, Look* look) {
  if (!IsAsAround(value) && value != "initial") return;
  *look = around;
  look->flow = value == "unset" || value == "initial" ? HtmlFlow::kInline : HtmlFlow::kOfElement;
  if (value != "initial") return;
  look->colour = Look().colour;
  look->SetHidden(Look::kVisibility, false);
  look->SetHidden(Look::kFontSize, false);
}

// The end of the string at style[begin]; a line end ends it, too, unless a backslash is before it.
size_t EndOfString(std::string_view style, size_t begin) {
  for (size_t i = begin + 1; i < style.size(); ++i) {
    const char c = style[i];
    if (c == style[begin] || c == '\n' || c == '\r' || c == '\f') return i + 1;
    if (c == '\\') i += style.substr(i + 1).starts_with("\r\n") ? 2 : 1;
  }
  return style.size();
}

// The end of the address without quotes that begins at style[begin].
size_t EndOfAddress(std::string_view style, size_t begin) {
  for (size_t i = begin; i < style.size(); ++i) {
    if (style[i] == ')') return i + 1;
    if (style[i] == '\\') ++i;
  }
  return style.size();
}

// Whether an address without quotes follows "url", the bracket at style[i], and blanks.
bool BeginsAddress(std::string_view style, size_t i) {
  constexpr std::string_view kUrl = "url";
  if (i < kUrl.size() || !EqualsIgnoringCase(style.substr(i - kUrl.size(), kUrl.size()), kUrl)) return false;
  const char before = i == kUrl.size() ? ' ' : style[i - kUrl.size() - 1];
  if (IsAsciiWordByte(before) || !IsAscii(before) || before == '-' || before == '\\') return false;
  while (++i < style.size() && IsAsciiSpace(style[i])) continue;
  return i < style.size() && style[i] != '"' && style[i] != '\'';
}

// The end of what begins at style[i] and is read as one: a comment, a string, an address with its brackets, a
// character with the backslash before it, or one character.
size_t EndOfPiece(std::string_view style, size_t i) {
  const char c = style[i];
  if (style.substr(i).starts_with("/*")) {
    const size_t end = style.find("*/", i + 2);
    return end == std::string_view::npos ? style.size() : end + 2;
  }
  if (c == '"' || c == '\'') return EndOfString(style, i);
  if (c == '\\') return std::min(i + 2, style.size());
  return c == '(' && BeginsAddress(style, i) ? EndOfAddress(style, i) : i + 1;
}

// The style in lower case, with a blank for each comment.
std::string WithoutComments(std::string_view style) {
  std::string plain;
  size_t end = 0;
  for (size_t i = 0; i < style.size(); i = end) {
    end = EndOfPiece(style, i);
    if (style.substr(i).starts_with("/*")) {
      plain += ' ';
    } else {
      AppendLowerAscii(style.substr(i, end - i), &plain);
    }
  }
  return plain;
}

// Where the first declaration of `style` ends: at a semicolon outside of strings and brackets, or at its end.
size_t EndOfDeclaration(std::string_view style) {
  constexpr std::string_view kOpening = "([{";
  constexpr std::string_view kClosing = ")]}";
  std::string closing;  // of the open brackets
  size_t end = 0;
  for (size_t i = 0; i < style.size(); i = end) {
    end = EndOfPiece(style, i);
    if (end > i + 1) continue;
    const size_t opening = kOpening.find(style[i]);
    if (opening != std::string_view::npos) {
      closing += kClosing[opening];
    } else if (closing.ends_with(style[i])) {
      closing.pop_back();
    } else if (style[i] == ';' && closing.empty()) {
      return i;
    }
  }
  return style.size();
}

// Takes "!important" from the end of a value; returns whether it was there.
bool TakeImportant(std::string_view* value) {
  constexpr std::string_view kImportant = "important";
  if (!value->ends_with(kImportant)) return false;
  const std::string_view before = Trim(value->substr(0, value->size() - kImportant.size()));
  if (!before.ends_with('!')) return false;
  *value = Trim(before.substr(0, before.size() - 1));
  return true;
}

}  // namespace

Look Look::Inherited() const {
  constexpr uint8_t kForGood = kDisplay | kOpacity | kOuter;
  Look look = *this;
  look.hidden_by &= static_cast<uint8_t>(~kForGood);
  if ((hidden_by & kForGood) != 0) look.hidden_by |= kOuter;
  look.flow = HtmlFlow::kOfElement;
  return look;
}

Look Look::Moved(const Look& before, const Look& now) const {
  constexpr uint8_t kOwn = kDisplay | kOpacity;
  const Look was = before.Inherited();
  const Look is = now.Inherited();
  Look look = *this;
  if (colour == was.colour) look.colour = is.colour;
  if (background == was.background) look.background = is.background;
  const auto inherited = static_cast<uint8_t>(~(hidden_by ^ was.hidden_by) & ~kOwn);
  look.hidden_by = static_cast<uint8_t>((hidden_by & ~inherited) | (is.hidden_by & inherited));
  return look;
}

void Look::SetHidden(Cause cause, bool is_hidden) {
  hidden_by = static_cast<uint8_t>(is_hidden ? hidden_by | cause : hidden_by & ~cause);
}

bool Look::IsUnreadable() const {
  if (hidden_by != 0) return true;
  if (!colour || !background) return colour && IsTransparent(*colour);
  return Distance(Over(*background, *colour), *background) <= kSameColour;
}

std::optional<uint32_t> ParseColour(std::string_view value) {
  if (value.starts_with('#')) return ParseHexWithAlpha(value.substr(1));
  if (value == "transparent") return kTransparent;
  if (const std::optional<uint32_t> colour = ParseColourFunction(value)) return colour;
  const std::optional<uint32_t> named = ColourOfName(value);
  return named ? named : ParseHex(value);
}

void ForEachDeclaration(std::string_view style,
                        const std::function<void(std::string_view, std::string_view)>& visit) {
  const std::string plain = WithoutComments(style);
  bool has_important = false;
  for (const bool important : {false, true}) {
    if (important && !has_important) return;
    std::string_view rest = plain;
    while (!rest.empty()) {
      const std::string_view declaration = rest.substr(0, EndOfDeclaration(rest));
      rest.remove_prefix(std::min(declaration.size() + 1, rest.size()));
      const size_t colon = declaration.find(':');
      if (colon == std::string_view::npos) continue;
      std::string_view value = Trim(declaration.substr(colon + 1));
      const bool is_important = TakeImportant(&value);
      has_important = has_important || is_important;
      if (is_important == important) visit(Trim(declaration.substr(0, colon)), value);
    }
  }
}

void ApplyDeclaration(std::string_view property, std::string_view value, const Look& around, Look* look) {
  if (property == "color") {
    look->colour = IsAsAround(value) || value == "currentcolor" ? around.colour : ParseColour(value);
  } else if (property == "background" || property == "background-color") {
    look->background = ParseBackground(value, around.background);
  } else if (property == "background-image") {
    look->background = std::nullopt;
  } else if (property == "display") {
    ApplyDisplay(value, look);
  } else if (property == "visibility") {
    ApplyVisibility(value, around, look);
  } else if (property == "opacity") {
    ApplyOpacity(value, look);
  } else if (property == "font-size") {
    ApplySize(TextSizeOf(value), around, look);
  } else if (property == "font") {
    ApplySize(TextSizeInFont(value), around, look);
  } else if (property == "all") {
    ApplyAll(value, around, look);
  }
}

}  // namespace thresher::tokenizer

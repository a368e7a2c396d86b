// The tokens:
//   tag:NAME              every known element; namespaced-tag for names such as "o:p", otherwise unknown-tag
//   attr:NAME=VALUE       an attribute of kTelling whose value is a short word (at most 24 bytes)
//   style:NAME=VALUE      a style property of kTellingStyles
//   event-handler         an attribute that begins with "on"
//   tiny-image            an image of at most 2 × 2 pixels
//   external-image        an image that is fetched from a host
//   attached-image        an image that is part of the message
// The renderer adds: comment-in-word, tag-in-word, encoded-letter, conditional-comment, hidden-text,
// link-text-mismatch, text-after-html.
#include "tokenizer/html_structure.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>

#include "tokenizer/ascii.h"
#include "tokenizer/html_links.h"
#include "tokenizer/html_style.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kValueBytes = 24;

constexpr std::array kTelling = {HtmlNameKey("align"),       HtmlNameKey("bgcolor"),    HtmlNameKey("border"),
                                 HtmlNameKey("cellpadding"), HtmlNameKey("color"),      HtmlNameKey("face"),
                                 HtmlNameKey("height"),      HtmlNameKey("http-equiv"), HtmlNameKey("method"),
                                 HtmlNameKey("rel"),         HtmlNameKey("size"),       HtmlNameKey("target"),
                                 HtmlNameKey("type"),        HtmlNameKey("width")};
constexpr auto kTellingStyles =
    std::to_array<std::string_view>({"background-color", "color", "direction", "display", "font-family",
                                     "font-size", "line-height", "unicode-bidi", "visibility"});

template <typename List, typename Item>
bool IsAmong(const List& list, const Item& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool IsPrintable(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

// "//x.example/1.png": browsers take the scheme of the page, and a backslash for a slash.
bool LacksOnlyScheme(std::string_view link) {
  return link.size() > 1 && link.substr(0, 2).find_first_not_of("/\\") == std::string_view::npos;
}

bool IsTiny(std::string_view length) {
  int pixels = -1;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), pixels);
  return error == std::errc() && pixels >= 0 && pixels <= 2 && !length.ends_with('%');
}

}  // namespace

bool HtmlStructure::IsNew(uint64_t hash) {
  if (hash == 0) hash = 1;
  size_t slot = hash % kSlots;
  while (seen_[slot] != 0) {
    if (seen_[slot] == hash) return false;
    slot = (slot + 1) % kSlots;
  }
  if (count_ == kSlots / 2) return false;
  ++count_;
  seen_[slot] = hash;
  return true;
}

void HtmlStructure::Add(std::string_view prefix, std::string_view value) {
  if (!IsNew(XXH3_64bits_withSeed(value.data(), value.size(), XXH3_64bits(prefix.data(), prefix.size()))))
    return;
  tokens_->Add(prefix, value);
}

void HtmlStructure::AddTag(const HtmlToken& tag, const HtmlElement* element) {
  if (element != nullptr) {
    Add("tag:", element->name);
    if (tag.key == HtmlNameKey("img")) AddImage(tag);
  } else {
    Add(tag.text.find(':') == std::string_view::npos ? "unknown-tag" : "namespaced-tag");
  }
  for (const HtmlAttribute& attribute : tag.attributes) AddAttribute(attribute);
}

void HtmlStructure::AddAttribute(const HtmlAttribute& attribute) {
  if (attribute.key == HtmlNameKey("style")) {
    ForEachDeclaration(attribute.value, [this](std::string_view property, std::string_view value) {
      if (!IsAmong(kTellingStyles, property)) return;
      value_.assign(value);
      std::erase_if(value_, IsAsciiSpace);
      AddAssignment("style:", property, value_);
    });
  } else if (IsAmong(kTelling, attribute.key)) {
    AddAssignment("attr:", attribute.name, attribute.value);
  } else if (StartsWithIgnoringCase(attribute.name, "on")) {
    Add("event-handler");
  }
}

// Ignores values that are not a short word.
void HtmlStructure::AddAssignment(std::string_view prefix, std::string_view name, std::string_view value) {
  if (value.empty() || value.size() > kValueBytes || !IsPrintable(value)) return;
  assignment_.clear();
  AppendLowerAscii(name, &assignment_);
  assignment_ += '=';
  AppendLowerAscii(value, &assignment_);
  Add(prefix, assignment_);
}

void HtmlStructure::AddImage(const HtmlToken& tag) {
  bool is_tiny = false;
  bool is_large = false;
  for (const HtmlAttribute& attribute : tag.attributes) {
    switch (attribute.key) {
      case HtmlNameKey("width"):
      case HtmlNameKey("height"):
        (IsTiny(attribute.value) ? is_tiny : is_large) = true;
        break;
      case HtmlNameKey("src"):
        ReadLink(attribute.value, &value_);
        if (StartsWithIgnoringCase(value_, "cid:")) Add("attached-image");
        if (StartsWithIgnoringCase(value_, "http") || LacksOnlyScheme(value_)) Add("external-image");
        break;
      default:
        break;
    }
  }
  if (is_tiny && !is_large) Add("tiny-image");
}

}  // namespace thresher::tokenizer

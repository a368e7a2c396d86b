// The tokens:
//   tag:NAME              every known element; namespaced-tag for "o:p" and the like, else unknown-tag
//   attr:NAME=VALUE       of the attributes in kTelling, values up to 24 bytes
//   style:NAME=VALUE      of the style properties in kTellingStyles
//   event-handler         an attribute "on…"
//   tiny-image            an image of at most 2 × 2 pixels; external-image: fetched from a host;
//                         attached-image: from the message
//   and what the renderer adds: comment-in-word, tag-in-word, encoded-letter, conditional-comment,
//   hidden-text, link-text-mismatch, text-after-html.
#include "tokenizer/html_structure.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <charconv>

#include "tokenizer/ascii.h"
#include "tokenizer/html_style.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kValueBytes = 24;

constexpr auto kTelling = std::to_array<std::string_view>({"align", "bgcolor", "border", "cellpadding",
                                                           "color", "face", "height", "http-equiv", "method",
                                                           "name", "rel", "size", "target", "type", "width"});
constexpr auto kTellingStyles = std::to_array<std::string_view>(
    {"background-color", "color", "display", "font-family", "font-size", "line-height", "visibility"});

template <typename List>
bool Contains(const List& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(),
                     [name](std::string_view known) { return EqualsIgnoringCase(known, name); });
}

bool IsPrintable(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

// "name=value"; empty if the value is no short word.
std::string Assignment(std::string_view name, std::string_view value) {
  if (value.empty() || value.size() > kValueBytes || !IsPrintable(value)) return {};
  std::string assignment = LowerAscii(name);
  assignment += '=';
  AppendLowerAscii(value, &assignment);
  return assignment;
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
  lines_->append(prefix).append(value).push_back('\n');
}

void HtmlStructure::AddTag(const HtmlToken& tag, const HtmlElement* element) {
  if (element != nullptr) {
    Add("tag:", element->name);
    if (element->name == "img") AddImage(tag);
  } else {
    Add(tag.text.find(':') == std::string_view::npos ? "unknown-tag" : "namespaced-tag");
  }
  for (const HtmlAttribute& attribute : tag.attributes) AddAttribute(attribute);
}

void HtmlStructure::AddAttribute(const HtmlAttribute& attribute) {
  if (EqualsIgnoringCase(attribute.name, "style")) {
    ForEachDeclaration(attribute.value, [this](std::string_view property, std::string_view value) {
      if (!Contains(kTellingStyles, property)) return;
      const std::string assignment = Assignment(property, value);
      if (!assignment.empty()) Add("style:", assignment);
    });
  } else if (StartsWithIgnoringCase(attribute.name, "on")) {
    Add("event-handler");
  } else if (Contains(kTelling, attribute.name)) {
    const std::string assignment = Assignment(attribute.name, attribute.value);
    if (!assignment.empty()) Add("attr:", assignment);
  }
}

void HtmlStructure::AddImage(const HtmlToken& tag) {
  bool is_tiny = false;
  bool is_large = false;
  for (const HtmlAttribute& attribute : tag.attributes) {
    if (EqualsIgnoringCase(attribute.name, "width") || EqualsIgnoringCase(attribute.name, "height")) {
      (IsTiny(attribute.value) ? is_tiny : is_large) = true;
    } else if (EqualsIgnoringCase(attribute.name, "src")) {
      if (StartsWithIgnoringCase(attribute.value, "cid:")) Add("attached-image");
      if (StartsWithIgnoringCase(attribute.value, "http")) Add("external-image");
    }
  }
  if (is_tiny && !is_large) Add("tiny-image");
}

}  // namespace thresher::tokenizer

#include "tokenizer/html_foreign.h"

#include <algorithm>
#include <array>
#include <span>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr auto kEnding = std::to_array<std::string_view>(
    {"b",     "big",   "blockquote", "body",   "br",   "center", "code",  "dd", "div",  "dl",   "dt",
     "em",    "embed", "h1",         "h2",     "h3",   "h4",     "h5",    "h6", "head", "hr",   "i",
     "img",   "li",    "listing",    "menu",   "meta", "nobr",   "ol",    "p",  "pre",  "ruby", "s",
     "small", "span",  "strong",     "strike", "sub",  "sup",    "table", "tt", "u",    "ul",   "var"});
constexpr auto kHtmlInSvg = std::to_array<std::string_view>({"foreignobject", "desc", "title"});
constexpr auto kHtmlInMath = std::to_array<std::string_view>({"mi", "mo", "mn", "ms", "mtext"});

bool IsNamed(std::string_view name, std::span<const std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [name](std::string_view known) { return EqualsIgnoringCase(name, known); });
}

template <typename Test>
bool HasAttribute(const HtmlToken& tag, const Test& test) {
  return std::any_of(tag.attributes.begin(), tag.attributes.end(), test);
}

bool SaysHtml(const HtmlAttribute& attribute) {
  return EqualsIgnoringCase(attribute.name, "encoding") &&
         (EqualsIgnoringCase(attribute.value, "text/html") ||
          EqualsIgnoringCase(attribute.value, "application/xhtml+xml"));
}

bool IsOfFont(const HtmlAttribute& attribute) {
  constexpr auto kNames = std::to_array<std::string_view>({"color", "face", "size"});
  return IsNamed(attribute.name, kNames);
}

}  // namespace

HtmlLanguage LanguageWithin(HtmlLanguage around, const HtmlToken& tag) {
  switch (around) {
    case HtmlLanguage::kHtml:
      return EqualsIgnoringCase(tag.text, "svg")    ? HtmlLanguage::kSvg
             : EqualsIgnoringCase(tag.text, "math") ? HtmlLanguage::kMath
                                                    : HtmlLanguage::kHtml;
    case HtmlLanguage::kSvg:
      return IsNamed(tag.text, kHtmlInSvg) ? HtmlLanguage::kHtml : HtmlLanguage::kSvg;
    case HtmlLanguage::kMath:
      break;
  }
  const bool is_html = IsNamed(tag.text, kHtmlInMath) ||
                       (EqualsIgnoringCase(tag.text, "annotation-xml") && HasAttribute(tag, SaysHtml));
  return is_html ? HtmlLanguage::kHtml : HtmlLanguage::kMath;
}

bool EndsForeign(const HtmlToken& tag) {
  return IsNamed(tag.text, kEnding) || (EqualsIgnoringCase(tag.text, "font") && HasAttribute(tag, IsOfFont));
}

}  // namespace thresher::tokenizer

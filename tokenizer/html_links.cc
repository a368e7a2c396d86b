#include "tokenizer/html_links.h"

#include <algorithm>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/html_elements.h"
#include "tokenizer/html_entities.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kDataBytes = 4096;  // of a link that holds a file
constexpr size_t kShownLinkBytes = 256;

// Browsers ignore line ends and tabs inside a URL.
bool IsIgnoredInUrl(char c) { return c == '\n' || c == '\r' || c == '\t'; }

// Whether the hosts are equal or one is a subdomain of the other; "www." is ignored.
bool IsSameSite(std::string_view a, std::string_view b) {
  if (a.starts_with("www.")) a.remove_prefix(4);
  if (b.starts_with("www.")) b.remove_prefix(4);
  if (a.size() < b.size()) std::swap(a, b);
  return a.ends_with(b) && (a.size() == b.size() || a[a.size() - b.size() - 1] == '.');
}

void RemoveIgnored(std::string* link) {
  std::erase_if(*link, IsIgnoredInUrl);
  const std::string_view trimmed = Trim(*link);
  link->erase(static_cast<size_t>(trimmed.end() - link->data()));
  link->erase(0, static_cast<size_t>(trimmed.begin() - link->data()));
}

// Whether an element of SVG changes the link of the one around it.
bool ChangesLink(const HtmlToken& tag) {
  if (tag.key != HtmlNameKey("set") && tag.key != HtmlNameKey("animate")) return false;
  return std::ranges::any_of(tag.attributes, [](const HtmlAttribute& attribute) {
    return EqualsIgnoringCase(attribute.name, "attributename") &&
           (EqualsIgnoringCase(attribute.value, "href") || EqualsIgnoringCase(attribute.value, "xlink:href"));
  });
}

}  // namespace

void ReadLink(std::string_view value, std::string* link) {
  link->clear();
  AppendAttribute(value, link);
  RemoveIgnored(link);
}

void HtmlLinks::AddFrom(const HtmlToken& tag) {
  for (const HtmlAttribute& attribute : tag.attributes) {
    switch (attribute.key) {
      case HtmlNameKey("href"):
      case HtmlNameKey("xlink:href"):
      case HtmlNameKey("src"):
      case HtmlNameKey("action"):
      case HtmlNameKey("formaction"):
      case HtmlNameKey("background"):
      case HtmlNameKey("poster"):
        Add(attribute.value);
        break;
      case HtmlNameKey("data"):
        if (tag.key == HtmlNameKey("object")) Add(attribute.value);
        break;
      case HtmlNameKey("ping"):
        AddEach(attribute.value, " \t\r\n\f");
        break;
      case HtmlNameKey("from"):
      case HtmlNameKey("to"):
        if (ChangesLink(tag)) Add(attribute.value);
        break;
      case HtmlNameKey("values"):
        if (ChangesLink(tag)) AddEach(attribute.value, ";");
        break;
      case HtmlNameKey("content"):
        if (tag.key == HtmlNameKey("meta")) AddRefresh(tag, attribute.value);
        break;
      default:
        break;
    }
  }
}

void HtmlLinks::Add(std::string_view value) {
  if (StartsWithIgnoringCase(Trim(value), "data:")) value = value.substr(0, kDataBytes);
  ReadLink(value, &link_);
  if (!link_.empty()) links_->Add(link_);
}

void HtmlLinks::AddEach(std::string_view values, std::string_view separators) {
  std::string decoded;
  AppendAttribute(values, &decoded);
  for (size_t begin = 0; begin < decoded.size();) {
    const size_t end = std::min(decoded.find_first_of(separators, begin), decoded.size());
    link_.assign(decoded, begin, end - begin);
    RemoveIgnored(&link_);
    if (!link_.empty()) links_->Add(link_);
    begin = end + 1;
  }
}

// "0; url=http://…" of a <meta> that leads to another page.
void HtmlLinks::AddRefresh(const HtmlToken& meta, std::string_view content) {
  const HtmlAttribute* kind = FindAttribute(meta, HtmlNameKey("http-equiv"));
  if (kind == nullptr || !EqualsIgnoringCase(kind->value, "refresh")) return;
  std::string decoded;
  AppendAttribute(content, &decoded);
  std::string_view rest = Trim(decoded);
  rest.remove_prefix(std::min(rest.find_first_not_of("0123456789."), rest.size()));
  rest = Trim(rest);
  if (rest.starts_with(';') || rest.starts_with(',')) rest = Trim(rest.substr(1));
  if (const std::string_view after = Trim(rest.substr(std::min<size_t>(3, rest.size())));
      StartsWithIgnoringCase(rest, "url") && after.starts_with('='))
    rest = Trim(after.substr(1));
  if (rest.starts_with('"') || rest.starts_with('\'')) rest = rest.substr(1, rest.find(rest.front(), 1) - 1);
  link_.assign(rest);
  RemoveIgnored(&link_);
  if (!link_.empty()) links_->Add(link_);
}

void HtmlLinks::Start(const HtmlToken& tag, std::string_view text) {
  const HtmlAttribute* href = FindAttribute(tag, HtmlNameKey("href"));
  open_ = href == nullptr ? std::string_view() : href->value;
  open_begin_ = text.size();
}

bool HtmlLinks::End(std::string_view text) {
  const std::string_view link = std::exchange(open_, {});
  if (link.empty()) return false;
  const std::string_view shown = text.substr(open_begin_, kShownLinkBytes);
  if (shown.find('.') == std::string_view::npos || !ParseUrl(shown, &shown_, UrlPlace::kText)) return false;
  ReadLink(link, &link_);
  return ParseUrl(link_, &target_) && !IsSameSite(shown_.host, target_.host);
}

}  // namespace thresher::tokenizer

#include "tokenizer/link_tokens.h"

#include <algorithm>
#include <array>

#include "tokenizer/ascii.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/shape.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kTargetBytes = 2048;
constexpr size_t kInnerLinks = 8;  // places that are tried
constexpr size_t kPdfLinks = 16;
constexpr size_t kScriptBytes = 1u << 20;

constexpr auto kShorteners = std::to_array<std::string_view>(
    {"bit.do", "bit.ly", "buff.ly", "cutt.ly", "goo.gl", "is.gd", "lnkd.in", "ow.ly", "qrco.de", "rb.gy",
     "rebrand.ly", "s.id", "shorturl.at", "t.co", "t.ly", "tiny.cc", "tinyurl.com", "urlz.fr", "v.gd"});

constexpr auto kScriptWords =
    std::to_array<std::string_view>({"atob(", "createobjecturl", "document.write", "eval(", "fromcharcode",
                                     "location.href", "location.replace", "mssaveoropenblob", "new blob",
                                     "unescape(", ".submit(", "xmlhttprequest", "fetch("});

// Attributes that hold scripts.
constexpr auto kScriptAttributes =
    std::to_array<std::string_view>({"onload", "onerror", "onclick", "onbegin", "onfocus", "onmouseover"});

bool Mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool EndsWithIgnoringCase(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && EqualsIgnoringCase(text.substr(text.size() - end.size()), end);
}

// Whether there is a script element, also with a prefix as in SVG, or an attribute that holds a script. One
// pass: a page has many more of each letter than of these signs.
bool HoldsScript(std::string_view html) {
  constexpr ByteSet kSigns("<:=");
  for (size_t i = 0; i < html.size(); ++i) {
    if (!kSigns.Has(html[i])) continue;
    if (html[i] != '=') {
      if (StartsWithIgnoringCase(html.substr(i + 1), "script")) return true;
    } else if (std::ranges::any_of(kScriptAttributes, [before = html.substr(0, i)](std::string_view name) {
                 return EndsWithIgnoringCase(before, name);
               })) {
      return true;
    }
  }
  return false;
}

}  // namespace

void LinkTokens::Add(const Url& url, std::string_view text) {
  if (url.scheme == "mailto") return;
  const bool is_sender = AreAligned(url.host, from_);
  if (!from_.empty()) builder_->Add("link:", is_sender ? "from-domain" : "other-domain");
  if (!url.is_address) builder_->Add("link:tld:", std::string_view(url.host).substr(url.host.rfind('.') + 1));
  const auto labels = static_cast<size_t>(std::count(url.host.begin(), url.host.end(), '.')) + 1;
  if (labels > 3) builder_->Add("link:labels:", labels > 5 ? "many" : "4");
  if (std::find(kShorteners.begin(), kShorteners.end(), url.host) != kShorteners.end())
    builder_->Add("link:", "shortener");
  text = text.substr(0, kTargetBytes);
  constexpr size_t kScheme = 8;  // "https://"
  constexpr ByteSet kBeginsPath("/?#");
  size_t path = std::min(kScheme, text.size());
  while (path < text.size() && !kBeginsPath.Has(text[path])) ++path;
  AddTarget(text.substr(path));
  const size_t sign = lower_.find('@');
  if (sign != std::string::npos && sign > 0 && lower_.find('.', sign) != std::string::npos &&
      IsAsciiWordByte(lower_[sign - 1]))
    builder_->Add("link:", "has-address");
}

// A redirect names its target in the path or query, perhaps encoded, once or twice.
void LinkTokens::AddTarget(std::string_view text) {
  lower_.clear();
  AppendLowerAscii(text, &lower_);
  for (int round = 0; round < 2 && lower_.find('%') != std::string::npos; ++round) {
    PercentDecode(lower_, &decoded_);
    decoded_.swap(lower_);
  }
  size_t inner = lower_.find("http");
  for (size_t tried = 0; inner != std::string::npos && tried < kInnerLinks; ++tried) {
    if (ParseUrl(std::string_view(lower_).substr(inner), &inner_)) {
      builder_->Add("link:", "redirect");
      builder_->Add("link:redirect-to:", inner_.host);
      break;
    }
    inner = lower_.find("http", inner + 1);
  }
}

void LinkTokens::AddOther(std::string_view link) {
  link = Trim(link);
  const size_t colon = link.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 16) {
    if (link.starts_with('#')) builder_->Add("link:", "nowhere");
    return;
  }
  lower_.clear();
  AppendLowerAscii(link.substr(0, std::min(link.find_first_of(",; \n\t"), size_t{48})), &lower_);
  if (lower_.starts_with("data:")) {
    builder_->Add("link:", lower_);
  } else {
    builder_->Add("link:scheme:", std::string_view(lower_).substr(0, colon));
    AddTarget(link.substr(colon + 1, kTargetBytes));  // "microsoft-edge:https://…" opens this one
  }
}

void LinkTokens::AddPdf(std::string_view bytes) {
  size_t links = 0;
  for (size_t at = bytes.find("/URI"); at != std::string_view::npos && links < kPdfLinks;
       at = bytes.find("/URI", at + 4)) {
    std::string_view rest = bytes.substr(at + 4, kTargetBytes);
    const size_t open = rest.find('(');
    if (open > 4) continue;  // or there is none
    rest = rest.substr(open + 1);
    rest = rest.substr(0, rest.find(')'));
    if (!ParseUrl(rest, &inner_)) continue;
    ++links;
    builder_->Add("link:pdf:", inner_.host);
    for (const std::string& suffix : inner_.host_suffixes) builder_->Add("link:pdf:", suffix);
  }
  builder_->Add("link:pdf-links:", Bucket(links).Text());
  if (Mentions(bytes, "/JavaScript")) builder_->Add("link:", "pdf-script");
  if (Mentions(bytes, "/Encrypt")) builder_->Add("link:", "pdf-encrypted");
}

void LinkTokens::AddScripts(std::string_view html) {
  html = html.substr(0, kScriptBytes);
  if (!HoldsScript(html)) return;
  builder_->Add("script:", "any");
  lower_.clear();
  AppendLowerAscii(html, &lower_);
  for (const std::string_view word : kScriptWords) {
    if (Mentions(lower_, word)) builder_->Add("script:", word);
  }
}

}  // namespace thresher::tokenizer

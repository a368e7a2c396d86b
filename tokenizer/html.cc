// Renders the scanner's tokens. A stack of open elements tells how each piece of text looks; block elements
// break words. End tags without a start tag and nesting depth, which the scanner does not know, are handled
// here in constant or amortised constant time.
#include "tokenizer/html.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/html_element_stack.h"
#include "tokenizer/html_elements.h"
#include "tokenizer/html_entities.h"
#include "tokenizer/html_scanner.h"
#include "tokenizer/html_structure.h"
#include "tokenizer/html_style.h"
#include "tokenizer/urls.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kDataBytes = 4096;  // of a link that holds a file
constexpr size_t kShownLinkBytes = 256;

bool IsWordByte(char c) { return IsAsciiWordByte(c) || !IsAscii(c); }

bool IsBlank(std::string_view text) { return std::all_of(text.begin(), text.end(), IsAsciiSpace); }

// Whether the hosts are equal or one is a subdomain of the other; "www." is ignored.
bool IsSameSite(std::string_view a, std::string_view b) {
  if (a.starts_with("www.")) a.remove_prefix(4);
  if (b.starts_with("www.")) b.remove_prefix(4);
  if (a.size() < b.size()) std::swap(a, b);
  return a.ends_with(b) && (a.size() == b.size() || a[a.size() - b.size() - 1] == '.');
}

// Browsers ignore line ends and tabs inside a URL.
bool IsIgnoredInUrl(char c) { return c == '\n' || c == '\r' || c == '\t'; }

const HtmlAttribute* Find(const HtmlToken& tag, uint64_t key) {
  const auto found = std::find_if(tag.attributes.begin(), tag.attributes.end(),
                                  [key](const HtmlAttribute& attribute) { return attribute.key == key; });
  return found == tag.attributes.end() ? nullptr : &*found;
}

class Renderer {
 public:
  Renderer(size_t depth_limit, HtmlRendering* out)
      : out_(out), structure_(&out->structure), stack_(depth_limit) {}

  void Render(std::string_view html) {
    HtmlScanner scanner(html);
    HtmlToken token;
    while (scanner.Next(&token, IsForeign())) {
      switch (token.kind) {
        case HtmlToken::Kind::kText:
          AddText(token.text);
          break;
        case HtmlToken::Kind::kStartTag:
          StartTag(token, &scanner);
          break;
        case HtmlToken::Kind::kEndTag:
          EndTag(token);
          break;
        case HtmlToken::Kind::kComment:
          Comment(token.text);
          break;
      }
    }
    EndLink();
  }

 private:
  bool IsForeign() const { return stack_.language() != HtmlLanguage::kHtml; }

  void AddText(std::string_view text) {
    if (text.empty() || stack_.look().IsNoText()) return;
    const bool is_blank = IsBlank(text);
    if (stack_.is_unreadable() && !is_blank) structure_.Add("hidden-text");
    if (after_html_ && !is_blank) structure_.Add("text-after-html");
    std::string* target = stack_.is_unreadable() ? &out_->hidden_text : &out_->text;
    if (!split_by_.empty()) {
      if (!target->empty() && IsWordByte(target->back()) && IsWordByte(text[0])) structure_.Add(split_by_);
      split_by_ = {};
    }
    has_text_ = has_text_ || !is_blank;
    AppendDecoded(text, target);
  }

  void AppendDecoded(std::string_view text, std::string* target) {
    while (!text.empty()) {
      const size_t plain = std::min(text.find('&'), text.size());
      target->append(text.substr(0, plain));
      text.remove_prefix(plain);
      if (text.empty()) return;
      const size_t size = DecodeEntity(text, EntityPlace::kText, target);
      if (size == 0) target->push_back('&');
      if (size > 1 && text[1] == '#' && IsAsciiWordByte(target->back())) structure_.Add("encoded-letter");
      text.remove_prefix(std::max<size_t>(size, 1));
    }
  }

  // Where an element begins or ends: adds a separator to the texts, so that the current word ends.
  void Break(const HtmlElement* element, const Look& look, bool in_table) {
    const HtmlBreak kind = BreakOf(element, look, in_table);
    if (kind == HtmlBreak::kNone) return;
    constexpr uint8_t kNotShown = Look::kDisplay | Look::kOuter;
    const bool is_shown = (look.hidden_by & kNotShown) == 0;
    End(kind, &out_->hidden_text);
    if (is_shown) End(kind, &out_->text);
    split_by_ = is_shown ? std::string_view() : "tag-in-word";
  }

  static void End(HtmlBreak kind, std::string* text) {
    if (!text->empty() && !IsAsciiSpace(text->back())) text->push_back(kind == HtmlBreak::kLine ? '\n' : ' ');
  }

  void StartTag(const HtmlToken& tag, HtmlScanner* scanner) {
    const HtmlElement* element = FindHtmlElement(tag.text, tag.key);
    structure_.AddTag(tag, element);
    if (IsForeign() && EndsForeign(tag)) stack_.EndForeign();
    if (element == nullptr) split_by_ = "tag-in-word";
    if (element != nullptr) stack_.EndSiblings(*element);
    Look look = stack_.look().Inherited();
    ReadAttributes(tag, &look);
    if (IsUnseenTitle(tag)) {
      look.SetHidden(Look::kDisplay, true);
      split_by_ = "tag-in-word";
    }
    Break(element, look, stack_.HasOpenTable());
    if (tag.key == HtmlNameKey("a")) StartLink(tag);
    if (!IsForeign()) {
      Open(tag, element, look, scanner);
    } else if (!tag.closes_itself) {
      OpenForeign(tag, element, look);
    }
  }

  // Within SVG and MathML no element has raw text.
  void OpenForeign(const HtmlToken& tag, const HtmlElement* element, Look look) {
    if (element != nullptr && element->content == HtmlContent::kUnseen) look.SetHidden(Look::kNoText, true);
    Push(tag, element, look);
  }

  void Push(const HtmlToken& tag, const HtmlElement* element, const Look& look) {
    const HtmlLanguage language = LanguageWithin(stack_.language(), tag);
    if (language != HtmlLanguage::kHtml && tag.closes_itself) return;
    if (!stack_.Push(tag.key, element, look, language)) out_->truncated = true;
  }

  void Open(const HtmlToken& tag, const HtmlElement* element, const Look& look, HtmlScanner* scanner) {
    const HtmlContent content = element == nullptr ? HtmlContent::kElements : element->content;
    switch (content) {
      case HtmlContent::kNothing:
        break;
      case HtmlContent::kUnseen:
        scanner->TakeRawText(tag.text);
        break;
      case HtmlContent::kText:
        AddRawText(element, look, scanner->TakeRawText(tag.text));
        break;
      case HtmlContent::kElements:
        Push(tag, element, look);
    }
  }

  // A title among text is not shown.
  bool IsUnseenTitle(const HtmlToken& tag) const {
    return has_text_ && tag.key == HtmlNameKey("title") && !IsForeign();
  }

  void AddRawText(const HtmlElement* element, const Look& look, std::string_view text) {
    if ((look.hidden_by & Look::kDisplay) != 0) {
      AppendDecoded(text, &out_->hidden_text);
    } else {
      AddText(text);
    }
    Break(element, look, stack_.HasOpenTable());
  }

  void EndTag(const HtmlToken& tag) {
    const HtmlElement* element = FindHtmlElement(tag.text, tag.key);
    if (IsForeign() && (tag.key == HtmlNameKey("p") || tag.key == HtmlNameKey("br"))) stack_.EndForeign();
    const bool in_table = stack_.HasOpenTable();
    const bool opens_one = tag.key == HtmlNameKey("p") || tag.key == HtmlNameKey("br");
    if (opens_one) Break(element, stack_.look().Inherited(), in_table);
    if (element != nullptr && element->content != HtmlContent::kElements && !IsForeign()) return;
    if (tag.key == HtmlNameKey("a")) EndLink();
    if (tag.key == HtmlNameKey("html")) after_html_ = true;
    if (const auto ended = stack_.End(tag.key, element)) {
      Break(element, *ended, in_table);
    } else if (!opens_one) {
      split_by_ = "tag-in-word";
    }
  }

  void Comment(std::string_view text) {
    split_by_ = "comment-in-word";
    if (!text.starts_with("[if")) return;
    structure_.Add("conditional-comment");
    out_->conditional_text.append(text).push_back('\n');
  }

  void ReadAttributes(const HtmlToken& tag, Look* look) {
    // Before the style, which may show the element again.
    if (Find(tag, HtmlNameKey("hidden")) != nullptr) look->SetHidden(Look::kDisplay, true);
    for (const HtmlAttribute& attribute : tag.attributes) {
      switch (attribute.key) {
        case HtmlNameKey("href"):
        case HtmlNameKey("xlink:href"):
        case HtmlNameKey("src"):
        case HtmlNameKey("action"):
        case HtmlNameKey("formaction"):
          AddLink(attribute.value);
          break;
        case HtmlNameKey("background"):
          AddLink(attribute.value);
          look->background = std::nullopt;
          break;
        case HtmlNameKey("color"):
          if (tag.key == HtmlNameKey("font")) ApplyDeclaration("color", attribute.value, look);
          break;
        case HtmlNameKey("text"):
          if (tag.key == HtmlNameKey("body")) ApplyDeclaration("color", attribute.value, look);
          break;
        case HtmlNameKey("bgcolor"):
          if (HasHtmlBackground(tag.key)) ApplyDeclaration("background-color", attribute.value, look);
          break;
        case HtmlNameKey("style"):
          ForEachDeclaration(Decoded(attribute.value),
                             [look](std::string_view property, std::string_view value) {
                               ApplyDeclaration(property, value, look);
                             });
          break;
        case HtmlNameKey("content"):
          if (tag.key == HtmlNameKey("meta")) AddRefresh(tag, attribute.value);
          break;
        case HtmlNameKey("class"):
        case HtmlNameKey("id"):
          look->background = std::nullopt;  // a style sheet may set any background
          break;
        case HtmlNameKey("size"):
          if (tag.key == HtmlNameKey("font")) look->SetHidden(Look::kFontSize, false);
          break;
        case HtmlNameKey("alt"):
          AddAlternative(attribute.value);
          break;
        default:
          break;
      }
    }
  }

  // Readers see an image's alternative text where the image is missing.
  void AddAlternative(std::string_view text) {
    if (text.empty()) return;
    EndWords();
    AddText(text);
    EndWords();
  }

  void EndWords() {
    End(HtmlBreak::kSpace, &out_->text);
    End(HtmlBreak::kSpace, &out_->hidden_text);
    split_by_ = {};
  }

  // An attribute's value with its entities decoded. Valid until the next call, unless there are none.
  std::string_view Decoded(std::string_view value) {
    if (value.find('&') == std::string_view::npos) return value;
    scratch_.clear();
    AppendAttribute(value, &scratch_);
    return scratch_;
  }

  // "0; url=http://…" of a <meta> that leads to another page.
  void AddRefresh(const HtmlToken& meta, std::string_view content) {
    const HtmlAttribute* kind = Find(meta, HtmlNameKey("http-equiv"));
    if (kind == nullptr || !EqualsIgnoringCase(kind->value, "refresh")) return;
    const std::string decoded(Decoded(content));
    std::string_view rest = Trim(decoded);
    rest.remove_prefix(std::min(rest.find_first_not_of("0123456789."), rest.size()));
    rest = Trim(rest);
    if (rest.starts_with(';') || rest.starts_with(',')) rest = Trim(rest.substr(1));
    if (const std::string_view after = Trim(rest.substr(std::min<size_t>(3, rest.size())));
        StartsWithIgnoringCase(rest, "url") && after.starts_with('='))
      rest = Trim(after.substr(1));
    if (rest.starts_with('"') || rest.starts_with('\''))
      rest = rest.substr(1, rest.find(rest.front(), 1) - 1);
    AddLink(rest);
  }

  void AddLink(std::string_view value) {
    if (StartsWithIgnoringCase(Trim(value), "data:")) value = value.substr(0, kDataBytes);
    scratch_.clear();
    AppendAttribute(value, &scratch_);
    std::erase_if(scratch_, IsIgnoredInUrl);
    if (!scratch_.empty()) out_->links.Add(scratch_);
  }

  void StartLink(const HtmlToken& tag) {
    EndLink();
    const HtmlAttribute* href = Find(tag, HtmlNameKey("href"));
    if (href != nullptr) link_ = href->value;
    link_begin_ = out_->text.size();
  }

  // Compares the link's target with the URL that its text shows.
  void EndLink() {
    const std::string_view link = std::exchange(link_, {});
    const std::string_view shown = std::string_view(out_->text).substr(link_begin_, kShownLinkBytes);
    if (link.empty() || shown.find('.') == std::string_view::npos ||
        !ParseUrl(shown, &shown_, UrlPlace::kText))
      return;
    scratch_.clear();
    AppendAttribute(link, &scratch_);
    if (ParseUrl(scratch_, &target_) && !IsSameSite(shown_.host, target_.host)) {
      structure_.Add("link-text-mismatch");
    }
  }

  HtmlRendering* out_;
  HtmlStructure structure_;
  HtmlElementStack stack_;
  std::string_view split_by_;  // the structure token to add if the next text continues the word before
  bool after_html_ = false;
  bool has_text_ = false;  // not only blanks
  std::string_view link_;  // href of the open <a>
  size_t link_begin_ = 0;  // where its text begins in out_->text
  Url target_;
  Url shown_;
  std::string scratch_;
};

}  // namespace

void RenderHtml(std::string_view utf8, size_t depth_limit, HtmlRendering* out) {
  out->text.clear();
  out->hidden_text.clear();
  out->conditional_text.clear();
  out->links.Clear();
  out->structure.Clear();
  out->truncated = false;
  Renderer(depth_limit, out).Render(utf8);
}

}  // namespace thresher::tokenizer

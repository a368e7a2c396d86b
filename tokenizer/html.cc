// Renders the scanner's tokens. A stack of open elements tells how each piece of text looks; block elements
// break words. End tags without a start tag and nesting depth, which the scanner does not know, are handled
// here in constant or amortised constant time.
#include "tokenizer/html.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/html_element_stack.h"
#include "tokenizer/html_elements.h"
#include "tokenizer/html_entities.h"
#include "tokenizer/html_links.h"
#include "tokenizer/html_look.h"
#include "tokenizer/html_scanner.h"
#include "tokenizer/html_structure.h"
#include "tokenizer/html_style.h"

namespace thresher::tokenizer {
namespace {

bool IsWordByte(char c) { return IsAsciiWordByte(c) || !IsAscii(c); }

bool IsBlank(std::string_view text) { return std::all_of(text.begin(), text.end(), IsAsciiSpace); }

// Browsers drop NUL bytes.
void AppendWithoutNul(std::string_view text, std::string* target) {
  const size_t begin = target->size();
  target->append(text);
  if (text.find('\0') == std::string_view::npos) return;
  target->erase(std::remove(target->begin() + static_cast<std::ptrdiff_t>(begin), target->end(), '\0'),
                target->end());
}

// Whether an <input> of that type shows its value as it is. Browsers take unknown types for "text".
bool ShowsValue(std::string_view type) {
  constexpr auto kOthers = std::to_array<std::string_view>({"checkbox", "color", "date", "datetime-local",
                                                            "file", "hidden", "image", "month", "number",
                                                            "password", "radio", "range", "time", "week"});
  return std::none_of(kOthers.begin(), kOthers.end(),
                      [type](std::string_view other) { return EqualsIgnoringCase(type, other); });
}

// Whether an <input> of that type shows its placeholder while it is empty.
bool ShowsPlaceholder(std::string_view type) {
  const auto is = [type](std::string_view other) { return EqualsIgnoringCase(type, other); };
  const bool is_button = is("button") || is("reset") || is("submit");
  return (ShowsValue(type) && !is_button) || is("number") || is("password");
}

bool HasAlternative(uint64_t key) {
  constexpr auto kKeys =
      std::to_array({HtmlNameKey("applet"), HtmlNameKey("area"), HtmlNameKey("image"), HtmlNameKey("img")});
  return std::ranges::find(kKeys, key) != kKeys.end();
}

// The attribute that readers see as text: an image's alternative text where the image is missing, or what is
// in a field, also one that is empty, or on a button. Null if there is none. That of a <textarea> is seen
// only if no text follows, which is not known here; it is read in any case.
const HtmlAttribute* FindShown(const HtmlToken& tag) {
  if (tag.key == HtmlNameKey("input")) {
    const HtmlAttribute* type = FindAttribute(tag, HtmlNameKey("type"));
    const std::string_view type_name = type == nullptr ? std::string_view() : type->value;
    const HtmlAttribute* value = FindAttribute(tag, HtmlNameKey("value"));
    const bool is_empty = value == nullptr || value->value.empty();
    if (is_empty && ShowsPlaceholder(type_name)) return FindAttribute(tag, HtmlNameKey("placeholder"));
    if (ShowsValue(type_name)) return value;
    return EqualsIgnoringCase(type_name, "image") ? FindAttribute(tag, HtmlNameKey("alt")) : nullptr;
  }
  if (tag.key == HtmlNameKey("textarea")) return FindAttribute(tag, HtmlNameKey("placeholder"));
  return HasAlternative(tag.key) ? FindAttribute(tag, HtmlNameKey("alt")) : nullptr;
}

class Renderer {
 public:
  Renderer(size_t depth_limit, HtmlRendering* out)
      : out_(out), structure_(&out->structure), links_(&out->links), stack_(depth_limit) {}

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
    if (stack_.is_unreadable() && stack_.look().TakesRoom() && HasEdge(text))
      End(HtmlBreak::kSpace, &out_->text);
    AddText(text, stack_.is_unreadable());
  }

  // Whether it does not touch both the word before and the word behind it.
  static bool HasEdge(std::string_view text) {
    return !text.empty() && (IsAsciiSpace(text.front()) || IsAsciiSpace(text.back()));
  }

  void AddText(std::string_view text, bool is_unreadable) {
    if (text.empty()) return;
    if (stack_.look().IsHiddenBy(Look::kNoText)) {
      AppendDecoded(text, &out_->unrendered);
      out_->unrendered.push_back('\n');
      return;
    }
    const bool is_blank = IsBlank(text);
    if (is_unreadable && !is_blank) structure_.Add("hidden-text");
    if (after_html_ && !is_blank) structure_.Add("text-after-html");
    std::string* target = is_unreadable ? &out_->hidden_text : &out_->text;
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
      AppendWithoutNul(text.substr(0, plain), target);
      text.remove_prefix(plain);
      if (text.empty()) return;
      const size_t size = DecodeEntity(text, EntityPlace::kText, target);
      if (size == 0) target->push_back('&');
      if (size > 1 && text[1] == '#' && IsAsciiWordByte(target->back())) structure_.Add("encoded-letter");
      text.remove_prefix(std::max<size_t>(size, 1));
    }
  }

  void EndLink() {
    if (links_.End(out_->text)) structure_.Add("link-text-mismatch");
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
    if (!text->empty() && !IsAsciiSpace(text->back()))
      text->push_back(kind == HtmlBreak::kSpace ? ' ' : '\n');
  }

  void StartTag(const HtmlToken& tag, HtmlScanner* scanner) {
    const HtmlElement* element = FindHtmlElement(tag.text, tag.key);
    structure_.AddTag(tag, element);
    if (IsForeign() && EndsForeign(tag)) stack_.EndForeign();
    if (element == nullptr) split_by_ = "tag-in-word";
    if (element != nullptr && !IsForeign() && !stack_.EndSiblings(*element)) return;
    links_.AddFrom(tag);
    Look look = LookOf(tag, IsForeign() ? nullptr : element, stack_.look());
    if (IsUnseenTitle(tag)) {
      look.SetHidden(Look::kDisplay, true);
      split_by_ = "tag-in-word";
    }
    Break(element, look, stack_.HasOpenTable());
    AddShown(tag, look);
    if (tag.key == HtmlNameKey("a")) {
      EndLink();
      links_.Start(tag, out_->text);
    }
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
    if (!stack_.Push(tag, element, look, language)) out_->truncated = true;
  }

  void Open(const HtmlToken& tag, const HtmlElement* element, const Look& look, HtmlScanner* scanner) {
    const HtmlContent content = element == nullptr ? HtmlContent::kElements : element->content;
    switch (content) {
      case HtmlContent::kNothing:
        break;
      case HtmlContent::kUnseen:
        AddUnseen(tag, scanner->TakeRawText(tag.text));
        break;
      case HtmlContent::kText:
        AddRawText(element, look, scanner->TakeRawText(tag.text));
        break;
      case HtmlContent::kElements:
        Push(tag, element, look);
    }
  }

  // A script may lead to another page.
  void AddUnseen(const HtmlToken& tag, std::string_view text) {
    if (tag.key == HtmlNameKey("script")) AddUnrendered(text);
  }

  // A title among text is not shown.
  bool IsUnseenTitle(const HtmlToken& tag) const {
    return has_text_ && tag.key == HtmlNameKey("title") && !IsForeign();
  }

  void AddRawText(const HtmlElement* element, const Look& look, std::string_view text) {
    if ((look.hidden_by & Look::kDisplay) != 0) {
      AppendDecoded(text, &out_->hidden_text);
    } else {
      AddText(text, look.IsUnreadable());
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
    if (const auto ended = stack_.End(tag, element)) {
      Break(element, *ended, in_table);
    } else if (!opens_one) {
      split_by_ = "tag-in-word";
    }
  }

  void Comment(std::string_view text) {
    split_by_ = "comment-in-word";
    if (!text.starts_with("[if")) return;
    structure_.Add("conditional-comment");
    AddUnrendered(text);
  }

  void AddUnrendered(std::string_view text) { out_->unrendered.append(text).push_back('\n'); }

  void AddShown(const HtmlToken& tag, const Look& look) {
    const HtmlAttribute* shown = FindShown(tag);
    if (shown == nullptr || shown->value.empty()) return;
    EndWords();
    AddText(shown->value, look.IsUnreadable());
    EndWords();
  }

  void EndWords() {
    End(HtmlBreak::kSpace, &out_->text);
    End(HtmlBreak::kSpace, &out_->hidden_text);
    split_by_ = {};
  }

  HtmlRendering* out_;
  HtmlStructure structure_;
  HtmlLinks links_;
  HtmlElementStack stack_;
  std::string_view split_by_;  // the structure token to add if the next text continues the word before
  bool after_html_ = false;
  bool has_text_ = false;  // not only blanks
};

}  // namespace

void RenderHtml(std::string_view utf8, size_t depth_limit, HtmlRendering* out) {
  out->text.clear();
  out->hidden_text.clear();
  out->unrendered.clear();
  out->links.Clear();
  out->structure.Clear();
  out->truncated = false;
  Renderer(depth_limit, out).Render(utf8);
}

}  // namespace thresher::tokenizer

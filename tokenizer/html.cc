// The scanner's tokens rendered: a stack of open elements gives each piece of text its look, block elements
// break words, and what the scanner cannot know (end tags without start, depth) is settled here in constant
// or amortised constant time.
#include "tokenizer/html.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokenizer/ascii.h"
#include "tokenizer/html_elements.h"
#include "tokenizer/html_entities.h"
#include "tokenizer/html_scanner.h"
#include "tokenizer/html_structure.h"
#include "tokenizer/html_style.h"
#include "tokenizer/urls.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kLinkBytes = 4096;
constexpr size_t kShownLinkBytes = 256;

struct OpenElement {
  uint64_t key;                // of its name
  const HtmlElement* element;  // null if unknown
  Look look;
  bool is_unreadable;
};

bool IsWordByte(char c) { return IsAsciiWordByte(c) || !IsAscii(c); }

bool IsBlank(std::string_view text) { return std::all_of(text.begin(), text.end(), IsAsciiSpace); }

// Whether one is the other or a host below it.
bool IsSameSite(std::string_view a, std::string_view b) {
  if (a.starts_with("www.")) a.remove_prefix(4);
  if (b.starts_with("www.")) b.remove_prefix(4);
  if (a.size() < b.size()) std::swap(a, b);
  return a.ends_with(b) && (a.size() == b.size() || a[a.size() - b.size() - 1] == '.');
}

// The open elements, at most `limit` of them.
class ElementStack {
 public:
  explicit ElementStack(size_t limit) : limit_(limit) {}

  const Look& look() const { return open_.empty() ? kDefault : open_.back().look; }
  bool is_unreadable() const { return !open_.empty() && open_.back().is_unreadable; }
  bool is_empty() const { return open_.empty(); }

  // False if it is too deep: then it has no effect, nor has its end tag.
  bool Push(uint64_t key, const HtmlElement* element, const Look& look) {
    if (open_.size() >= limit_) {
      ++ignored_;
      return false;
    }
    ++OpenOf(key);
    open_.push_back({key, element, look, look.IsUnreadable()});
    return true;
  }

  // Ends what a new `element` cannot stand in.
  void EndSiblings(const HtmlElement& element) {
    const HtmlFamily family = element.family == HtmlFamily::kNone && element.breaks == HtmlBreak::kLine
                                  ? HtmlFamily::kParagraph
                                  : element.family;
    if (family == HtmlFamily::kNone || element.is_family_fence) return;
    size_t keep = open_.size();
    for (size_t i = open_.size(); i > 0; --i) {
      const HtmlElement* open = open_[i - 1].element;
      if (open == nullptr) continue;
      if (open->family == family && !open->is_family_fence &&
          open->rank <= std::max<uint8_t>(element.rank, 1)) {
        keep = i - 1;
      } else if (IsFence(*open, family)) {
        break;
      }
    }
    PopTo(keep);
  }

  void End(uint64_t key, const HtmlElement* element) {
    if (ignored_ > 0) {
      --ignored_;
      return;
    }
    if (OpenOf(key) == 0) return;
    const bool is_inline = element == nullptr || element->breaks == HtmlBreak::kNone;
    for (size_t i = open_.size(); i > 0; --i) {
      if (open_[i - 1].key == key) return PopTo(i - 1);
      // </b> does not end a table.
      if (is_inline && open_[i - 1].element != nullptr && open_[i - 1].element->family == HtmlFamily::kTable)
        return;
    }
  }

 private:
  static constexpr Look kDefault{};
  static constexpr size_t kCounters = 64;

  // Paragraphs are ended by the nearest block's, others by the nearest of their family.
  static bool IsFence(const HtmlElement& open, HtmlFamily family) {
    if (family == HtmlFamily::kParagraph) return open.breaks != HtmlBreak::kNone;
    return open.family == family && open.is_family_fence;
  }

  void PopTo(size_t size) {
    while (open_.size() > size) {
      --OpenOf(open_.back().key);
      open_.pop_back();
    }
  }

  // How many elements of this name (or one that shares its counter) are open: most end tags without a start
  // are known by it without a search.
  size_t& OpenOf(uint64_t key) { return counters_[(key * 0x9E3779B97F4A7C15u) >> 58]; }

  size_t limit_;
  size_t ignored_ = 0;  // open beyond the limit
  std::vector<OpenElement> open_;
  std::array<size_t, kCounters> counters_{};
};

class Renderer {
 public:
  Renderer(size_t depth_limit, HtmlRendering* out)
      : out_(out), structure_(&out->structure), stack_(depth_limit) {}

  void Render(std::string_view html) {
    HtmlScanner scanner(html);
    HtmlToken token;
    while (scanner.Next(&token)) {
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
  void AddText(std::string_view text) {
    const bool is_blank = IsBlank(text);
    if (stack_.is_unreadable() && !is_blank) structure_.Add("hidden-text");
    if (after_html_ && !is_blank) structure_.Add("text-after-html");
    std::string* target = stack_.is_unreadable() ? &out_->hidden_text : &out_->text;
    if (!split_by_.empty()) {
      if (!target->empty() && IsWordByte(target->back()) && IsWordByte(text[0])) structure_.Add(split_by_);
      split_by_ = {};
    }
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

  // Ends the word in both texts.
  void Break(HtmlBreak kind) {
    if (kind == HtmlBreak::kNone) return;
    const char end = kind == HtmlBreak::kLine ? '\n' : ' ';
    for (std::string* text : {&out_->text, &out_->hidden_text}) {
      if (!text->empty() && !IsAsciiSpace(text->back())) text->push_back(end);
    }
    split_by_ = {};
  }

  void StartTag(const HtmlToken& tag, HtmlScanner* scanner) {
    const HtmlElement* element = FindHtmlElement(tag.text, tag.key);
    structure_.AddTag(tag, element);
    if (element == nullptr) split_by_ = "tag-in-word";
    if (element != nullptr) {
      Break(element->breaks);
      stack_.EndSiblings(*element);
    }
    Look look = stack_.look();
    ReadAttributes(tag, &look);
    if (tag.key == HtmlNameKey("a")) StartLink(tag);
    Open(tag, element, look, scanner);
  }

  void Open(const HtmlToken& tag, const HtmlElement* element, const Look& look, HtmlScanner* scanner) {
    const HtmlContent content = element == nullptr ? HtmlContent::kElements : element->content;
    switch (content) {
      case HtmlContent::kNothing:
        break;
      case HtmlContent::kUnseen:
        scanner->TakeRawText(tag.text);
        break;
      case HtmlContent::kText: {
        const std::string_view text = scanner->TakeRawText(tag.text);
        if (!text.empty()) AddText(text);
        break;
      }
      case HtmlContent::kElements:
        if (!stack_.Push(tag.key, element, look)) out_->truncated = true;
    }
  }

  void EndTag(const HtmlToken& tag) {
    const HtmlElement* element = FindHtmlElement(tag.text, tag.key);
    if (element != nullptr) {
      Break(element->breaks);
      if (element->content != HtmlContent::kElements) return;
    }
    if (tag.key == HtmlNameKey("a")) EndLink();
    if (tag.key == HtmlNameKey("html")) after_html_ = true;
    stack_.End(tag.key, element);
  }

  void Comment(std::string_view text) {
    split_by_ = "comment-in-word";
    if (text.starts_with("[if")) structure_.Add("conditional-comment");
  }

  void ReadAttributes(const HtmlToken& tag, Look* look) {
    for (const HtmlAttribute& attribute : tag.attributes) {
      switch (attribute.key) {
        case HtmlNameKey("href"):
        case HtmlNameKey("src"):
        case HtmlNameKey("action"):
          AddLink(attribute.value);
          break;
        case HtmlNameKey("background"):
          AddLink(attribute.value);
          look->background = std::nullopt;
          break;
        case HtmlNameKey("color"):
        case HtmlNameKey("text"):
          ApplyDeclaration("color", attribute.value, look);
          break;
        case HtmlNameKey("bgcolor"):
          ApplyDeclaration("background-color", attribute.value, look);
          break;
        case HtmlNameKey("style"):
          ForEachDeclaration(attribute.value, [look](std::string_view property, std::string_view value) {
            ApplyDeclaration(property, value, look);
          });
          break;
        case HtmlNameKey("class"):
        case HtmlNameKey("id"):
          look->background = std::nullopt;  // a style sheet may say anything
          break;
        case HtmlNameKey("hidden"):
          look->is_hidden = true;
          break;
        case HtmlNameKey("alt"):
          AddAlternative(attribute.value);
          break;
        default:
          break;
      }
    }
  }

  // An image's alternative text is read in its place.
  void AddAlternative(std::string_view text) {
    if (text.empty()) return;
    Break(HtmlBreak::kSpace);
    AddText(text);
    Break(HtmlBreak::kSpace);
  }

  void AddLink(std::string_view value) {
    std::string* links = &out_->links;
    const size_t begin = links->size();
    AppendAttribute(value.substr(0, kLinkBytes), links);
    // Browsers drop line ends inside.
    links->erase(std::remove_if(links->begin() + static_cast<std::ptrdiff_t>(begin), links->end(),
                                [](char c) { return c == '\n' || c == '\r' || c == '\t'; }),
                 links->end());
    if (links->size() > begin) links->push_back('\n');
  }

  void StartLink(const HtmlToken& tag) {
    EndLink();
    for (const HtmlAttribute& attribute : tag.attributes) {
      if (attribute.key == HtmlNameKey("href")) link_ = attribute.value.substr(0, kLinkBytes);
    }
    link_begin_ = out_->text.size();
  }

  // Compares where the link leads with where it says it does.
  void EndLink() {
    const std::string_view link = std::exchange(link_, {});
    const std::string_view shown = std::string_view(out_->text).substr(link_begin_, kShownLinkBytes);
    if (link.empty() || shown.find('.') == std::string_view::npos || !ParseUrl(shown, &shown_)) return;
    scratch_.clear();
    AppendAttribute(link, &scratch_);
    if (ParseUrl(scratch_, &target_) && !IsSameSite(shown_.host, target_.host)) {
      structure_.Add("link-text-mismatch");
    }
  }

  HtmlRendering* out_;
  HtmlStructure structure_;
  ElementStack stack_;
  std::string_view split_by_;  // the token to add if the word before goes on
  bool after_html_ = false;
  std::string_view link_;  // of the open <a>
  size_t link_begin_ = 0;  // of its text
  Url target_;
  Url shown_;
  std::string scratch_;
};

}  // namespace

void RenderHtml(std::string_view utf8, size_t depth_limit, HtmlRendering* out) {
  out->text.clear();
  out->hidden_text.clear();
  out->links.clear();
  out->structure.clear();
  out->truncated = false;
  Renderer(depth_limit, out).Render(utf8);
}

}  // namespace thresher::tokenizer

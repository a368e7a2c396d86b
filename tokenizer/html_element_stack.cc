#include "tokenizer/html_element_stack.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

bool IsHeading(const HtmlElement* element) {
  return element != nullptr && element->family == HtmlFamily::kHeading;
}

// The end tag of any heading ends the open one.
uint64_t KeyOf(const HtmlToken& tag, const HtmlElement* element) {
  return IsHeading(element) ? HtmlNameKey("h1") : tag.key;
}

bool IsTable(const HtmlElement* element) {
  return element != nullptr && element->family == HtmlFamily::kTable && element->is_family_fence;
}

// Elements that browsers open again where another one ended them.
bool IsFormatting(uint64_t key) {
  constexpr auto kKeys = std::to_array<uint64_t>(
      {HtmlNameKey("a"), HtmlNameKey("b"), HtmlNameKey("big"), HtmlNameKey("code"), HtmlNameKey("em"),
       HtmlNameKey("font"), HtmlNameKey("i"), HtmlNameKey("nobr"), HtmlNameKey("s"), HtmlNameKey("small"),
       HtmlNameKey("strike"), HtmlNameKey("strong"), HtmlNameKey("tt"), HtmlNameKey("u")});
  return std::ranges::find(kKeys, key) != kKeys.end();
}

// Within SVG and MathML, names of HTML mean nothing.
bool IsForeign(HtmlLanguage language) { return language != HtmlLanguage::kHtml; }

// Of which browsers' rules for end tags speak as "special": most that break words.
bool IsBlock(const HtmlElement* element) {
  constexpr auto kOthers =
      std::to_array<std::string_view>({"dialog", "legend", "optgroup", "option", "search"});
  return element != nullptr && element->breaks != HtmlBreak::kNone &&
         std::ranges::find(kOthers, element->name) == kOthers.end();
}

// Whether a picture, field or frame is shown in its place, which takes room between words of one line, too.
bool IsReplaced(const HtmlElement* element) {
  return element != nullptr && element->breaks == HtmlBreak::kSpace &&
         element->content != HtmlContent::kElements;
}

bool StandsBeforeRows(const HtmlElement& element) {
  return element.name == "caption" || element.name == "colgroup";
}

bool IsPage(uint64_t key) { return key == HtmlNameKey("body") || key == HtmlNameKey("html"); }

}  // namespace

HtmlBreak BreakOf(const HtmlElement* element, const Look& look, bool in_table) {
  const HtmlBreak own = element == nullptr ? HtmlBreak::kNone : element->breaks;
  const bool is_part =
      element != nullptr && element->family == HtmlFamily::kTable && !element->is_family_fence;
  if (look.flow == HtmlFlow::kAside || (is_part && !in_table)) return HtmlBreak::kNone;
  if (look.flow == HtmlFlow::kInline) return IsReplaced(element) ? own : HtmlBreak::kNone;
  return look.flow == HtmlFlow::kBlock && own == HtmlBreak::kNone ? HtmlBreak::kLine : own;
}

bool HtmlElementStack::Push(const HtmlToken& tag, const HtmlElement* element, const Look& look,
                            HtmlLanguage language) {
  const uint64_t key = KeyOf(tag, element);
  ++OpenOf(key);
  tables_ += IsTable(element) ? 1 : 0;
  open_.push_back({tag.text, key, element, look, look.IsUnreadable(), language});
  return open_.size() <= limit_;
}

bool HtmlElementStack::EndSiblings(const HtmlElement& element) {
  if (element.name == "select" || element.name == "input") {
    if (const auto list = FindInScope(HtmlNameKey("select"))) {
      PopTo(*list);
      return element.name != "select";
    }
  }
  if (element.breaks == HtmlBreak::kBlock) {
    if (const auto paragraph = FindInScope(HtmlNameKey("p"))) PopTo(*paragraph);
  }
  switch (element.family) {
    case HtmlFamily::kNone:
      break;
    case HtmlFamily::kAlone:
      if (const auto other = FindInScope(HtmlNameKey(element.name)))
        EndAlone(*other, element.breaks == HtmlBreak::kNone);
      break;
    case HtmlFamily::kHeading:
      if (!open_.empty() && IsHeading(open_.back().element)) PopTo(open_.size() - 1);
      break;
    case HtmlFamily::kRuby:
      EndRuby(element);
      break;
    default:
      if (!element.is_family_fence) EndFamily(element);
  }
  return true;
}

void HtmlElementStack::EndAlone(size_t i, bool is_inline) {
  if (!is_inline) {
    PopTo(i);
  } else if (!IsBelowSkipped(i)) {
    TakeOut(i);
  }
}

// What is right around it, and not what is around another element in that.
void HtmlElementStack::EndRuby(const HtmlElement& element) {
  if (element.is_family_fence || !FindInScope(HtmlNameKey("ruby"))) return;
  const bool may_stand_in_rtc = element.name == "rt" || element.name == "rp";
  while (const HtmlElement* around = open_.back().element) {
    if (around->family != HtmlFamily::kRuby || around->is_family_fence) break;
    if (may_stand_in_rtc && around->name == "rtc") break;
    PopTo(open_.size() - 1);
  }
}

std::optional<size_t> HtmlElementStack::FindInScope(uint64_t key) {
  if (OpenOf(key) == 0) return std::nullopt;
  for (size_t i = open_.size(); i > 0; i = Next(i)) {
    const OpenElement& open = open_[i - 1];
    if (IsForeign(open.language)) break;
    if (open.element == nullptr) continue;
    if (open.key == key) return i - 1;
    const bool holds_paragraphs = key == HtmlNameKey("p") && open.key == HtmlNameKey("button");
    if (open.element->is_scope || holds_paragraphs) break;
  }
  return std::nullopt;
}

void HtmlElementStack::EndFamily(const HtmlElement& element) {
  constexpr uint8_t kRankOfBodies = 3;
  const uint8_t rank = StandsBeforeRows(element) ? kRankOfBodies : element.rank;
  size_t keep = open_.size();
  for (size_t i = open_.size(); i > 0; i = Next(i)) {
    const HtmlElement* open = open_[i - 1].element;
    if (open == nullptr || IsForeign(open_[i - 1].language)) continue;
    if (open->is_apart) break;
    if (open->family != element.family) continue;
    if (open->is_family_fence) break;
    if (open->rank <= rank) keep = i - 1;
  }
  PopTo(keep);
}

void HtmlElementStack::EndForeign() {
  size_t keep = open_.size();
  while (keep > 0 && IsForeign(open_[keep - 1].language)) --keep;
  PopTo(keep);
}

std::optional<Look> HtmlElementStack::End(const HtmlToken& tag, const HtmlElement* element) {
  const uint64_t key = KeyOf(tag, element);
  if (OpenOf(key) == 0) return std::nullopt;
  const bool is_inline = element == nullptr || element->breaks == HtmlBreak::kNone;
  const bool is_apart = element != nullptr && element->is_apart;
  const bool is_of_table = element != nullptr && element->family == HtmlFamily::kTable;
  const bool is_scope = element != nullptr && element->is_scope;
  bool is_around_block = false;
  for (size_t i = open_.size(); i > 0; i = Next(i)) {
    if (is_inline && IsBelowSkipped(i - 1)) break;
    const OpenElement& open = open_[i - 1];
    // Keys of long names may be the same.
    const bool is_same = element != nullptr
                             ? open.element != nullptr
                             : open.element == nullptr && EqualsIgnoringCase(open.name, tag.text);
    if (open.key == key && is_same) {
      const Look look = open.look;
      if (IsPage(key)) return look;  // what comes behind it is in the page nevertheless
      is_around_block ? TakeOut(i - 1) : PopTo(i - 1);
      return look;
    }
    if (open.element == nullptr || is_apart || IsForeign(open.language)) continue;
    if (open.element->is_apart) break;
    // An inline end tag such as </b> does not end a table, and no other one than a table's ends its cells.
    if (is_inline && open.element->family == HtmlFamily::kTable) break;
    if (open.element->is_scope && !is_of_table) break;
    // Those of formatting leave blocks open that began in their element; other ones have no effect behind
    // them.
    if (!is_inline || is_scope || !IsBlock(open.element)) continue;
    if (!IsFormatting(key)) break;
    is_around_block = true;
  }
  return std::nullopt;
}

void HtmlElementStack::PopTo(size_t size) {
  while (open_.size() > size) {
    --OpenOf(open_.back().key);
    tables_ -= IsTable(open_.back().element) ? 1 : 0;
    open_.pop_back();
  }
}

void HtmlElementStack::TakeOut(size_t i) {
  Look before = open_[i].look;
  Look now = i == 0 ? kDefault : open_[i - 1].look;
  --OpenOf(open_[i].key);
  size_t kept = i;
  bool in_block = false;
  for (size_t j = i + 1; j < open_.size(); ++j) {
    OpenElement open = open_[j];
    in_block = in_block || IsBlock(open.element);
    if (!in_block && !IsFormatting(open.key)) {
      before = open.look;
      --OpenOf(open.key);
      continue;
    }
    const Look moved = open.look.Moved(before, now);
    before = std::exchange(open.look, moved);
    now = moved;
    open.is_unreadable = moved.IsUnreadable();
    open_[kept++] = open;
  }
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(kept), open_.end());
}

}  // namespace thresher::tokenizer

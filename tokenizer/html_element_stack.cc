#include "tokenizer/html_element_stack.h"

#include <algorithm>

namespace thresher::tokenizer {
namespace {

// Whether `open` hides the elements below it from a new element of this family: a paragraph is ended only
// within the nearest block, other elements only within the nearest fence of their family.
bool IsFence(const HtmlElement& open, HtmlFamily family) {
  if (family == HtmlFamily::kParagraph) return open.breaks != HtmlBreak::kNone;
  return open.family == family && open.is_family_fence;
}

bool IsTable(const HtmlElement* element) {
  return element != nullptr && element->family == HtmlFamily::kTable && element->is_family_fence;
}

}  // namespace

HtmlBreak BreakOf(const HtmlElement* element, const Look& look, bool in_table) {
  const HtmlBreak own = element == nullptr ? HtmlBreak::kNone : element->breaks;
  const bool is_part =
      element != nullptr && element->family == HtmlFamily::kTable && !element->is_family_fence;
  if (look.flow == HtmlFlow::kInline || (is_part && !in_table)) return HtmlBreak::kNone;
  return look.flow == HtmlFlow::kBlock && own == HtmlBreak::kNone ? HtmlBreak::kLine : own;
}

bool HtmlElementStack::Push(uint64_t key, const HtmlElement* element, const Look& look,
                            HtmlLanguage language) {
  if (open_.size() >= limit_) {
    ignored_.push_back(language);
    return false;
  }
  ++OpenOf(key);
  tables_ += IsTable(element) ? 1 : 0;
  open_.push_back({key, element, look, look.IsUnreadable(), language});
  return true;
}

void HtmlElementStack::EndSiblings(const HtmlElement& element) {
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

void HtmlElementStack::EndForeign() {
  while (!ignored_.empty() && ignored_.back() != HtmlLanguage::kHtml) ignored_.pop_back();
  if (!ignored_.empty()) return;
  size_t keep = open_.size();
  while (keep > 0 && open_[keep - 1].language != HtmlLanguage::kHtml) --keep;
  PopTo(keep);
}

std::optional<Look> HtmlElementStack::End(uint64_t key, const HtmlElement* element) {
  if (!ignored_.empty()) {
    ignored_.pop_back();
    return Look();
  }
  if (OpenOf(key) == 0) return std::nullopt;
  const bool is_inline = element == nullptr || element->breaks == HtmlBreak::kNone;
  for (size_t i = open_.size(); i > 0; --i) {
    const OpenElement& open = open_[i - 1];
    if (open.key == key) {
      const Look look = open.look;
      PopTo(i - 1);
      return look;
    }
    // An inline end tag such as </b> does not end a table.
    if (is_inline && open.element != nullptr && open.element->family == HtmlFamily::kTable) break;
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

}  // namespace thresher::tokenizer

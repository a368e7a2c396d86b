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

}  // namespace

bool HtmlElementStack::Push(uint64_t key, const HtmlElement* element, const Look& look,
                            HtmlLanguage language) {
  if (open_.size() >= limit_) {
    ignored_.push_back(language);
    return false;
  }
  ++OpenOf(key);
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

void HtmlElementStack::End(uint64_t key, const HtmlElement* element) {
  if (!ignored_.empty()) return ignored_.pop_back();
  if (OpenOf(key) == 0) return;
  const bool is_inline = element == nullptr || element->breaks == HtmlBreak::kNone;
  for (size_t i = open_.size(); i > 0; --i) {
    if (open_[i - 1].key == key) return PopTo(i - 1);
    // An inline end tag such as </b> does not end a table.
    if (is_inline && open_[i - 1].element != nullptr && open_[i - 1].element->family == HtmlFamily::kTable)
      return;
  }
}

void HtmlElementStack::PopTo(size_t size) {
  while (open_.size() > size) {
    --OpenOf(open_.back().key);
    open_.pop_back();
  }
}

}  // namespace thresher::tokenizer

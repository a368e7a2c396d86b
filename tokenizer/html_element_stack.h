// The stack of open HTML elements, with the look each gives to the text in it.
//
// Called by the HTML renderer. Every operation takes constant or amortised constant time, except that a tag
// may search the stack, which the depth limit bounds. Thread-safety: an HtmlElementStack serves one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizer/html_elements.h"
#include "tokenizer/html_foreign.h"
#include "tokenizer/html_style.h"

namespace thresher::tokenizer {

// How an element that looks so breaks words. Browsers ignore a part of a table outside of one.
HtmlBreak BreakOf(const HtmlElement* element, const Look& look, bool in_table);

class HtmlElementStack {
 public:
  // A tag looks at no more than the `limit` innermost open elements and the `limit` outermost ones.
  explicit HtmlElementStack(size_t limit) : limit_(limit) {}

  const Look& look() const { return open_.empty() ? kDefault : open_.back().look; }
  bool is_unreadable() const { return !open_.empty() && open_.back().is_unreadable; }
  // Of what comes next.
  HtmlLanguage language() const { return open_.empty() ? HtmlLanguage::kHtml : open_.back().language; }

  // Opens the element of a start tag; `element` is null for an unknown one; `language` is that within it.
  // Returns false if more than `limit` are open.
  bool Push(const HtmlToken& tag, const HtmlElement* element, const Look& look, HtmlLanguage language);

  // Closes the open elements that a new `element` of HTML ends, such as a <td> before the next <td>. False if
  // browsers ignore its start tag otherwise.
  bool EndSiblings(const HtmlElement& element);

  // Closes the elements of SVG or MathML around what comes next.
  void EndForeign();

  // Applies an end tag. One without a start tag has no effect. Returns how the element that it ends looked.
  std::optional<Look> End(const HtmlToken& tag, const HtmlElement* element);
  bool HasOpenTable() const { return tables_ > 0; }

 private:
  struct OpenElement {
    std::string_view name;  // as written
    uint64_t key;           // of its name; that of all headings is the same
    const HtmlElement* element;
    Look look;
    bool is_unreadable;
    HtmlLanguage language;
  };

  static constexpr Look kDefault{};
  static constexpr size_t kCounters = 64;

  // A search looks at open_[i - 1] from i = open_.size() on; this is the next i. It leaves out the elements
  // from limit_ to EndOfSkipped().
  size_t Next(size_t i) const { return i - 1 == EndOfSkipped() ? limit_ : i - 1; }
  size_t EndOfSkipped() const { return std::max(limit_, open_.size() - std::min(limit_, open_.size())); }

  // To take out an element below those that are left out would move all of them.
  bool IsBelowSkipped(size_t i) const { return i < limit_ && EndOfSkipped() > limit_; }

  // The nearest open element of that key in the scope of what comes next.
  std::optional<size_t> FindInScope(uint64_t key);
  void EndAlone(size_t i, bool is_inline);
  void EndFamily(const HtmlElement& element);
  void EndRuby(const HtmlElement& element);
  void PopTo(size_t size);
  // Ends the element but neither the blocks in it nor the elements that browsers open again.
  void TakeOut(size_t i);

  // The number of open elements with this name or with another name of the same counter. Zero means that an
  // end tag has no start tag, without a search.
  size_t& OpenOf(uint64_t key) { return counters_[(key * 0x9E3779B97F4A7C15u) >> 58]; }

  size_t limit_;
  std::vector<OpenElement> open_;
  std::array<size_t, kCounters> counters_{};
  size_t tables_ = 0;  // of open_
};

}  // namespace thresher::tokenizer

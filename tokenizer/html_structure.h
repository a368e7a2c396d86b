// The structure tokens of one HTML document: tokens from its markup, not from its text.
//
// Called by the HTML renderer. Thread-safety: an HtmlStructure serves one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tokenizer/html_elements.h"
#include "tokenizer/html_scanner.h"
#include "tokenizer/text_list.h"

namespace thresher::tokenizer {

class HtmlStructure {
 public:
  // Appends to *tokens.
  explicit HtmlStructure(TextList* tokens) : tokens_(tokens) {}

  // Adds one token, whole or as prefix and value, unless it was added before or there are already kSlots / 2.
  void Add(std::string_view token) { Add(token, {}); }
  void Add(std::string_view prefix, std::string_view value);

  // The tokens of a start tag; `element` is null for an unknown one.
  void AddTag(const HtmlToken& tag, const HtmlElement* element);

 private:
  void AddAttribute(const HtmlAttribute& attribute);
  void AddAssignment(std::string_view prefix, std::string_view name, std::string_view value);
  void AddImage(const HtmlToken& tag);
  bool IsNew(uint64_t hash);

  static constexpr size_t kSlots = 512;  // at most half of them are used

  TextList* tokens_;
  std::string assignment_;
  std::string value_;
  size_t count_ = 0;
  std::array<uint64_t, kSlots> seen_{};  // 0: free
};

}  // namespace thresher::tokenizer

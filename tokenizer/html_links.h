// The links of a page, and whether the text of a link shows another host than it leads to.
//
// Called by the HTML renderer. Thread-safety: an HtmlLinks serves one thread. Accepts any bytes; linear time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/html_scanner.h"
#include "tokenizer/text_list.h"
#include "tokenizer/urls.h"

namespace thresher::tokenizer {

// Replaces *link by what browsers take for the link in an attribute: without entities, line ends, tabs, and
// blanks around it.
void ReadLink(std::string_view value, std::string* link);

class HtmlLinks {
 public:
  // Appends to *links.
  explicit HtmlLinks(TextList* links) : links_(links) {}

  // Adds the links of a start tag.
  void AddFrom(const HtmlToken& tag);

  // Begins an <a> of which `text` is what was shown before.
  void Start(const HtmlToken& tag, std::string_view text);
  // Ends the <a>, if one is open. `text` is what was shown up to here. Returns whether a URL in the text of
  // the <a> has another host than the link.
  bool End(std::string_view text);

 private:
  void Add(std::string_view value);
  void AddEach(std::string_view values, std::string_view separators);
  void AddRefresh(const HtmlToken& meta, std::string_view content);

  TextList* links_;
  std::string_view open_;  // href of the open <a>
  size_t open_begin_ = 0;  // where its text begins
  Url target_;
  Url shown_;
  std::string link_;
};

}  // namespace thresher::tokenizer

// A list of texts in one buffer, so that adding one allocates nothing once the buffer has grown.
//
// Used by the HTML renderer and by calendar.h for their results, which are reused from document to document.
// Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

class TextList {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
  }

  // Appends one text: the pieces, joined.
  template <typename... Pieces>
  void Add(const Pieces&... pieces) {
    (bytes_.append(pieces), ...);
    ends_.push_back(bytes_.size());
  }

  // Calls visit(std::string_view) for every text in order. The views hold until the list changes.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    size_t begin = 0;
    for (const size_t end : ends_) {
      visit(std::string_view(bytes_).substr(begin, end - begin));
      begin = end;
    }
  }

  friend bool operator==(const TextList&, const TextList&) = default;

 private:
  std::string bytes_;
  std::vector<size_t> ends_;
};

}  // namespace thresher::tokenizer

// Names of headers, some with a * for any ending: which of a message's headers are meant.
//
// Made once by the tokenizer, of Options::ignore_headers, and asked for each header. Thread-safety: const
// functions of any thread.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

class HeaderPatterns {
 public:
  explicit HeaderPatterns(std::span<const std::string> patterns);

  // Whether one of them is this name, case ignored; one that ends with * matches any ending.
  bool Match(std::string_view name) const;

 private:
  static constexpr size_t kGroups = 32;

  // By the third letter, the first behind "X-", without its case.
  static size_t GroupOf(char third) { return static_cast<unsigned char>(third) % kGroups; }

  std::array<std::vector<std::string>, kGroups> groups_;
  std::vector<std::string> short_;  // without a third letter before the *
};

}  // namespace thresher::tokenizer

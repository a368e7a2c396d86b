#include "tokenizer/subject_tag.h"

#include <algorithm>
#include <cstddef>

namespace thresher::tokenizer {
namespace {

constexpr size_t kLongestTag = 64;
constexpr size_t kLongestMark = 3;  // "Re", "Fwd", "AW"

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The size of a tag at the beginning; 0 if there is none.
size_t TagSize(std::string_view text) {
  text = text.substr(0, kLongestTag);
  if (text.starts_with('[') || text.starts_with('{')) {
    const size_t end = text.find(text.front() == '[' ? ']' : '}');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  if (!text.starts_with("**")) return 0;
  const size_t word = text.find_first_not_of('*');
  const size_t end = text.find("**", std::min(word, text.size()));
  return end == std::string_view::npos ? 0 : std::min(text.find_first_not_of('*', end), text.size());
}

// The size of a reply mark at the beginning, with its colon; 0 if there is none.
size_t MarkSize(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsLetter);
  const auto size = static_cast<size_t>(end - text.begin());
  return size > 0 && size <= kLongestMark && end != text.end() && *end == ':' ? size + 1 : 0;
}

}  // namespace

std::string WithoutTags(std::string_view subject) {
  std::string kept;
  while (!subject.empty()) {
    const size_t tag = TagSize(subject);
    const size_t mark = tag > 0 ? 0 : MarkSize(subject);
    const size_t blank = subject.front() == ' ' ? 1 : 0;
    if (tag + mark + blank == 0) break;
    kept.append(subject.substr(0, mark));
    subject.remove_prefix(tag + mark + blank);
  }
  return kept.append(subject);
}

}  // namespace thresher::tokenizer

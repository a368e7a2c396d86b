// What the labels of a domain name say.
//
// Called by the token families that read domains, for URLs, and for lists of senders and their proofs.
// Accepts any text. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

// Calls visit(name) for the domains above `domain` that have two to four labels, the longest first. Whoever
// owns a domain chooses the labels below it, and their number.
template <class Visit>
void ForEachDomainAbove(std::string_view domain, const Visit& visit) {
  constexpr size_t kMostLabels = 4;
  auto labels = static_cast<size_t>(std::count(domain.begin(), domain.end(), '.'));
  for (size_t dot = domain.find('.'); labels >= 2; dot = domain.find('.', dot + 1), --labels) {
    if (labels <= kMostLabels) visit(domain.substr(dot + 1));
  }
}

// `domain`, which is UTF-8 in lower case, with those labels encoded that are not ASCII ("xn--…", RFC 5890):
// so both ways to write a domain are the same. As it is if it is ASCII, longer than DNS allows, or no domain.
std::string AsciiDomain(std::string_view domain);

// Whether a label is not ASCII, but encoded as such.
inline bool HasPunycodeLabel(std::string_view domain) {
  return domain.starts_with("xn--") || domain.find(".xn--") != std::string_view::npos;
}

}  // namespace thresher::tokenizer

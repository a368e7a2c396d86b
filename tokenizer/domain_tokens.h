// A domain and the domains above it, as tokens.
//
// Called by the address and Received tokens. Thread-safety: pure function.
#pragma once

#include <string_view>

#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

// FIELD + "mail.example.com", FIELD + "example.com": `domain` and those above it that have two labels or
// more, at most four in all.
inline void AddDomain(std::string_view field, std::string_view domain, FeatureBuilder* builder) {
  constexpr int kMaxDomains = 4;
  for (int i = 0; i < kMaxDomains; ++i) {
    builder->Add(field, domain);
    const size_t dot = domain.find('.');
    if (dot == std::string_view::npos || domain.find('.', dot + 1) == std::string_view::npos) return;
    domain.remove_prefix(dot + 1);
  }
}

}  // namespace thresher::tokenizer

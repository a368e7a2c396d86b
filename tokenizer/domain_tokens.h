// A domain and the domains above it, as tokens.
//
// Called by the address and Received tokens. Thread-safety: pure function.
#pragma once

#include <string_view>

#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

// FIELD + "mail.example.com", FIELD + "example.com": `domain` and those above it that have two labels or
// more, at most four in all.
void AddDomain(std::string_view field, std::string_view domain, FeatureBuilder* builder);

}  // namespace thresher::tokenizer

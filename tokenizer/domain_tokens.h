// Tokens of a domain and of the domains above it.
//
// Called by the tokens of headers, addresses, Received and authentication. Thread-safety: a pure function.
#pragma once

#include <string_view>

#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

// Adds FIELD + "mail.example.com", FIELD + "example.com": `domain` and the domains above it (domain_name.h).
void AddDomain(std::string_view field, std::string_view domain, FeatureBuilder* builder);

}  // namespace thresher::tokenizer

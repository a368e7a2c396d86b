// The first address of a header, without the lists and names that address_tokens.h reads.
//
// Called by token families that compare senders. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

// The first address "joe@example.com" of a header's value, in lower case; empty if there is none.
std::string FirstAddress(std::string_view value);

// The domain of an address; empty if it has none.
std::string_view DomainOf(std::string_view address);

// The first address of the first header of this name; empty if there is none.
std::string AddressIn(const MessageHead& head, std::string_view name);

// Whether the domains are equal or one lies below the other, as DMARC's relaxed alignment compares them
// (without its list of public suffixes).
bool AreAligned(std::string_view a, std::string_view b);

}  // namespace thresher::tokenizer

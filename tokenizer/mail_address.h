// The first address of a header, without the lists and names that address_tokens.h reads.
//
// Called by token families that compare senders, and by lists of senders. Accepts any bytes; linear time.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

// The first address "joe@example.com" of a header's value, in lower case; empty if there is none. As RFC 5322
// has it, comments count for nothing, what is in quotation marks is a name (or, just before the "@", the
// local part), comments and blanks may be around the "@" and the dots of the domain, and a route in angle
// brackets is left out. Where nothing else has an address, one in a comment or in quotation marks counts. Its
// domain is that of AsciiDomain (domain_name.h).
std::string FirstAddress(std::string_view value);

// The first address that stands in a display name, without blanks in it, in lower case; empty if there is
// none.
std::string AddressInName(std::string_view name);

// Where in a header's value the angle bracket before its first address is; npos if that has none.
size_t BracketOfFirst(std::string_view value);

// The domain of an address; empty if it has none.
std::string_view DomainOf(std::string_view address);

// The first address of the first header of this name; empty if there is none.
std::string AddressIn(const MessageHead& head, std::string_view name);

// What AddressIn finds in two headers at which most families look.
struct Senders {
  std::string from;
  std::string reply_to;
};
Senders SendersOf(const MessageHead& head);

// Whether the domains are equal or one lies below the other, as DMARC's relaxed alignment compares them
// (without its list of public suffixes), whether their labels are encoded or not.
bool AreAligned(std::string_view a, std::string_view b);

}  // namespace thresher::tokenizer

// Whether a mail server that one trusts found that a domain sent a message: from Authentication-Results
// (RFC 8601), which servers write that check DKIM, SPF and DMARC.
//
// A sender can write such headers, too. The server must remove those with its own name, as OpenDKIM,
// OpenDMARC and Rspamd do. Called by SenderLists. Thread-safety: pure functions.
#pragma once

#include <string_view>

#include "tokenizer/message_head.h"

namespace thresher::pipeline {

// Whether a header of the server `authserv_id` says that DKIM, SPF or DMARC passed for `domain` or a domain
// above it. `domain` is in lower case. Labels that are not ASCII may be encoded or not, in both.
bool IsProven(const tokenizer::MessageHead& head, std::string_view authserv_id, std::string_view domain);

}  // namespace thresher::pipeline

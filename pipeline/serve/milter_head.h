// The changes by which a mail server removes forged verdicts from a head, as packets of the milter protocol.
//
// A milter cannot replace bytes of a head: it names a header and which one of that name it means. Called by
// MilterSession. Thread-safety: pure functions.
#pragma once

#include <string>

#include "pipeline/serve/milter_parser.h"

namespace thresher::pipeline {

// Removes thresher's headers from the head (tokenizer/thresher_headers.h), and the parts of other headers
// that some program could read as one.
std::string PacketsWithoutForgedHeaders(const MilterMessage& message);

// Puts "NAME: VALUE" above all headers of the message.
std::string PacketOfHeader(std::string_view name, std::string_view value);

}  // namespace thresher::pipeline

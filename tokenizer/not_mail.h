// Recognises what lies beside mail and is no message: binary files, tables, the index files of mail programs,
// and the message in which a mailbox program keeps its own data.
//
// Called by the commands that read files and folders; not by `filter`, which judges whatever is
// delivered, nor for the messages that an index names. Thread-safety: a pure function. Accepts any bytes.
#pragma once

#include <string_view>

namespace thresher::tokenizer {

// Why `bytes` are no message, in a few words; empty if they may be one. A From line or one header that mail
// has makes a message, whatever follows.
std::string_view WhyNotMail(std::string_view bytes);

}  // namespace thresher::tokenizer

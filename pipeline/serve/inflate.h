// Decompresses the message of a request (zlib format), up to a limit.
//
// Called by spamd_session.cc. Thread-safety: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thresher::pipeline {

// Nothing if `bytes` are damaged, incomplete or not all of one stream, or make more than `most` bytes.
std::optional<std::string> Inflate(std::string_view bytes, size_t most);

}  // namespace thresher::pipeline

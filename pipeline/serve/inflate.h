// Decompresses the message of a request, up to a limit.
//
// Called by spamd_session.cc (zlib's format) and http_parser.cc (zstd's). Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace thresher::pipeline {

enum class NotInflated {
  kMalformed,  // the bytes are damaged, incomplete or not all of one stream
  kTooLarge,   // they make more than `most` bytes
};
tl::expected<std::string, NotInflated> Inflate(std::string_view bytes, size_t most);
// One frame of the format of RFC 8878, not of those before it. One that needs a window of more than 8 MiB,
// which RFC 8878 does not ask for, is malformed.
tl::expected<std::string, NotInflated> InflateZstd(std::string_view bytes, size_t most);

}  // namespace thresher::pipeline

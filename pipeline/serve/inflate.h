// Decompresses the message of a request (zlib format), up to a limit.
//
// Called by spamd_session.cc. Thread-safety: a pure function.
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

}  // namespace thresher::pipeline

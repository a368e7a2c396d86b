// Keys and values of the examples and ids families as bytes; FORMAT.md documents them.
//
// Used by ExampleLog. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/example_log.h"

namespace thresher::storage {

// The value of the example numbered `seq` (example.seq is not looked at). REQUIRES: message_id and digest
// shorter than 64 KiB.
std::string EncodeExample(uint64_t seq, const Example& example);

// The example numbered `seq`, or nothing if the bytes are not its value. Total: any bytes are safe.
std::optional<Example> DecodeExample(uint64_t seq, std::string_view bytes);

// The ids family's key of a message key, and what all keys with this Message-ID begin with.
std::string MessageKeyPrefix(std::string_view message_id);
std::string MessageKeyBytes(std::string_view message_id, std::string_view digest);

}  // namespace thresher::storage

// Encodes and decodes keys and values of the families `examples` and `ids`; FORMAT.md documents them.
//
// Used by every file of this folder that reads or writes them. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/example_log.h"

namespace thresher::storage {

// The key of the example with number `seq`.
std::string ExampleKey(uint64_t seq);

// The value of the example with number `seq`; ignores example.seq. REQUIRES: message_id and digest are
// shorter than 64 KiB.
std::string EncodeExample(uint64_t seq, const Example& example);

// The example with number `seq`; nothing if `bytes` are not its value. Safe for any bytes.
std::optional<Example> DecodeExample(uint64_t seq, std::string_view bytes);

// The first bytes of all keys of the family `ids` with this Message-ID, and the whole key.
std::string MessageKeyPrefix(std::string_view message_id);
std::string MessageKeyBytes(std::string_view message_id, std::string_view digest);

}  // namespace thresher::storage

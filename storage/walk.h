// Everything that a model's database holds, in the order of its keys and in bounded memory: for checks and
// exports.
//
// What has expired is not there, though it may still be on disk. Damaged entries are handed out as such and
// do not end a walk; a block that cannot be read does. Thread-safety: as Database. Views hold until visit
// returns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "storage/database.h"
#include "storage/error.h"
#include "storage/example_log.h"

namespace thresher::storage {

// What weights and tokens hold under one id.
struct StoredRow {
  std::optional<uint64_t> id;           // nothing: the key is none
  std::optional<std::string_view> row;  // 8-byte aligned; nothing: there is only a text
  std::optional<std::string_view> text;
};

struct StoredExample {
  std::optional<uint64_t> seq;     // nothing: the key is none
  std::optional<Example> example;  // nothing: it does not match its checksum
};

// An entry of ids.
struct StoredMessageKey {
  std::string message_id;
  std::string digest;
  std::optional<uint64_t> seq;  // of the example it leads to; nothing: key or value is none
};

// Each goes on until visit returns false.
Result<void> WalkRows(const Database& database, const std::function<bool(const StoredRow&)>& visit);
Result<void> WalkExamples(const Database& database, const std::function<bool(const StoredExample&)>& visit);
Result<void> WalkMessageKeys(const Database& database,
                             const std::function<bool(const StoredMessageKey&)>& visit);

}  // namespace thresher::storage

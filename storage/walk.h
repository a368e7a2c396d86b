// Visits every entry of a model's database, in the order of the keys, with a limited amount of memory.
//
// Used by the pipeline's check, export and forgetting, and to list bad examples. WalkExamples skips expired
// examples, even if they are still on disk. Damaged entries are passed to visit and marked as such; a block
// that cannot be read ends the walk with an error. Views are valid until visit returns. Thread-safety: as
// Database.
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

// The row and the text of one id.
struct StoredRow {
  std::optional<uint64_t> id;           // nothing: the key is damaged
  std::optional<std::string_view> row;  // 8-byte aligned; nothing: there is only a text
  std::optional<std::string_view> text;
};

struct StoredExample {
  std::optional<uint64_t> seq;     // nothing: the key is damaged
  std::optional<Example> example;  // nothing: it does not match its checksum
};

// An entry of the family `ids`.
struct StoredMessageKey {
  std::string message_id;
  std::string digest;
  std::optional<uint64_t> seq;  // number of the example; nothing: the key or the value is damaged
};

// Each of these ends when visit returns false.
Result<void> WalkRows(const Database& database, const std::function<bool(const StoredRow&)>& visit);
Result<void> WalkExamples(const Database& database, const std::function<bool(const StoredExample&)>& visit);
// The expired examples that stay readable (ExampleLog::KeepExpired).
Result<void> WalkKeptExamples(const Database& database,
                              const std::function<bool(const StoredExample&)>& visit);
Result<void> WalkMessageKeys(const Database& database,
                             const std::function<bool(const StoredMessageKey&)>& visit);

}  // namespace thresher::storage

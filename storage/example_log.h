// The ordered log of everything the model was taught: the source of truth the weights can be made from again.
//
// Appended to by the pipeline before an example is applied; read by recovery, feedback and (later) batch
// solvers. Thread-safety: one writer thread; readers of other processes see what was written when they
// opened.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/database.h"
#include "storage/error.h"
#include "storage/log_extent.h"

namespace thresher::storage {

inline constexpr size_t kLongestMessageKey = 1024;  // Message-ID and digest together

// One taught example. `features` is opaque here (tokenizer/feature_codec.h).
struct Example {
  uint64_t seq = 0;        // 1, 2, 3, …; set by Append
  int64_t time_us = 0;     // microseconds since 1970, for people, and for what is kept of the log
  int8_t label = 0;        // +1 spam, −1 ham
  uint8_t evidence = 0;    // opaque here: why it was taught (pipeline/taught.h)
  std::string message_id;  // with digest: the message key; message_id + digest ≤ 1 KiB
  std::string digest;
  std::string features;
};

// What an example counts for in LogExtent::bytes.
inline uint64_t LoggedBytes(const Example& example) {
  return example.message_id.size() + example.digest.size() + example.features.size();
}

class ExampleLog {
 public:
  explicit ExampleLog(Database& database);

  // Appends; returns the sequence number. The key now leads to this example.
  Result<uint64_t> Append(const Example& example);
  // Returns when every example appended before may be acknowledged, as the database's durability has it. The
  // one function for any thread, at any time.
  Result<void> Acknowledge();

  // The number of the last example; 0 for an empty log.
  uint64_t last_seq() const;
  // Which are kept. A new extent shows with the next checkpoint, here and on disk; it may only grow shorter
  // at its beginning, and never lose its last example.
  const LogExtent& extent() const;
  void SetExtent(const LogExtent& extent);

  // Calls visit for every example kept with seq > after, in order, until it returns false.
  Result<void> Read(uint64_t after, const std::function<bool(const Example&)>& visit) const;
  // The example numbered `seq`; nothing if it has expired or never was.
  Result<std::optional<Example>> Get(uint64_t seq) const;

  // The last example taught under a key; nothing if there is none, or it has expired.
  Result<std::optional<uint64_t>> Find(std::string_view message_id, std::string_view digest) const;
  // The digests under which messages with this Message-ID were taught.
  Result<std::vector<std::string>> DigestsOf(std::string_view message_id) const;

 private:
  Database* database_;
  uint64_t last_seq_ = 0;
};

}  // namespace thresher::storage

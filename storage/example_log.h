// The ordered log of every example the model was taught, from which the weights can be rebuilt.
//
// Used by the pipeline, which appends an example before it trains on it, and by recovery, feedback and batch
// solvers, which read the log. Thread-safety: one writer thread; readers in other processes see what was
// written before they opened the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
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
  int64_t time_us = 0;     // microseconds since 1970; decides when the example expires
  int8_t label = 0;        // +1 spam, −1 ham, 0 forgotten
  uint8_t evidence = 0;    // opaque here: why it was taught (pipeline/model/evidence.h)
  std::string message_id;  // with digest: the message key; message_id + digest ≤ 1 KiB
  std::string digest;
  std::string features;
};

// Whether the example was taken out of the log: only its number and time are left.
inline bool IsForgotten(const Example& example) { return example.label == 0; }

// The bytes that an example adds to LogExtent::bytes.
inline uint64_t LoggedBytes(const Example& example) {
  return example.message_id.size() + example.digest.size() + example.features.size();
}

// The message key of an example.
struct MessageKeyText {
  std::string message_id;
  std::string digest;
};

// Named bytes that the caller stores beside the examples, opaque here. An empty value removes its note.
using Notes = std::map<std::string, std::string, std::less<>>;

// new_number(seq): the number of an example after others were dropped; 0 if it was dropped itself.
using NewNumber = std::function<uint64_t(uint64_t seq)>;
// The model's globals after that.
using GlobalsAfter = std::function<std::vector<std::byte>(const NewNumber& new_number)>;

class ExampleLog {
 public:
  explicit ExampleLog(Database& database);

  // Appends; returns the sequence number. The message key now refers to this example. The notes are written
  // in one step with it.
  Result<uint64_t> Append(const Example& example, const Notes& notes = {});
  // Notes without an example. They are on disk when an example appended after them is.
  Result<void> WriteNotes(const Notes& notes);
  // All of them.
  Result<Notes> ReadNotes() const;
  // Returns when every example appended before may be acknowledged, according to the durability of the
  // database. kMissing if the model was removed or moved while it was open, unless the durability is kOs. The
  // only function that any thread may call at any time.
  Result<void> Acknowledge();

  // The number of the last example; 0 for an empty log.
  uint64_t last_seq() const;
  // Which examples are kept. A new extent takes effect with the next checkpoint. It may only drop examples at
  // the beginning, and never the last one.
  const LogExtent& extent() const;
  void SetExtent(const LogExtent& extent);
  // Expired examples that Get still finds, ascending: REQUIRES: each is kept or was among these before. Takes
  // effect with the next checkpoint.
  void KeepExpired(std::vector<uint64_t> seqs);

  // What the next checkpoint keeps no longer (KeepExpired) is forgotten: until a Replace, or else with the
  // next writer, it leaves the disk.
  void ForgetExpired();

  // Puts these examples, numbers ascending, in the places of the ones with their numbers. The keys of those
  // that are forgotten now lead nowhere. Takes effect at once, in one step with the extent, and what was
  // replaced leaves the disk; if the process ends before that, with the next writer. REQUIRES: every example
  // is in the weights of the last checkpoint.
  Result<void> Replace(std::span<const Example> examples, std::span<const MessageKeyText> forgotten,
                       const LogExtent& extent);
  // Takes away what is left of forgotten examples and numbers the others anew, in one step with the globals;
  // the weights are then those after the new last example. Returns how many went. If all are forgotten and
  // some have expired, the last one stays. REQUIRES: as Replace.
  Result<uint64_t> DropForgotten(const GlobalsAfter& globals);

  // Calls visit for every example kept with seq > after, in order, until it returns false. One that does not
  // match its checksum is an error, or, if `may_be_unreadable` says so of its number, comes as a forgotten
  // one with the time of the one before.
  Result<void> Read(uint64_t after, const std::function<bool(const Example&)>& visit,
                    const std::function<bool(uint64_t)>& may_be_unreadable = nullptr) const;
  // The example with number `seq`; nothing if it does not exist, or has expired and is not kept
  // (KeepExpired).
  Result<std::optional<Example>> Get(uint64_t seq) const;

  // The number of the last example with this key; nothing if there is none or it has expired.
  Result<std::optional<uint64_t>> Find(std::string_view message_id, std::string_view digest) const;
  // The digests of the examples with this Message-ID.
  Result<std::vector<std::string>> DigestsOf(std::string_view message_id) const;

 private:
  DatabaseImpl* database_;
  uint64_t last_seq_ = 0;
};

}  // namespace thresher::storage

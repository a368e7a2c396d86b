// A log that several machines share: ordered, kept by a quorum of servers, read by all of them.
//
// A log is that of one model. The logs of several models are kept together: they have the numbers of their
// records in common, so that those of one log ascend, but need not be consecutive.
//
// How many nodes keep one model, top to bottom:
//
//   ordered_log      this interface; nats_log implements it, tests replace it
//   shared_identity  what all models of a log have in common; agreed upon once
//   membership       opens the model of a node: a new one as agreed, or one that follows the log already
//   operation        one record of the log: what a user taught, with everything that decides what is learned
//   outbox           operations of this node that the log may not have yet, on disk
//   follower         applies the records to a model, each operation once
//   nodes            what the nodes say of themselves, and whether their models are equal
//   closed_position  how far a model is that nobody has open
//   snapshot         a node's model for those that cannot begin with the first record; snapshot_bytes packs
//   it
//
// pipeline/serve/shared_log joins them to a daemon. Thread-safety: any threads, but Read by one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

struct LogRecord {
  uint64_t seq = 0;       // ascending, from 1
  uint64_t previous = 0;  // of the record of this log before it, 0: it is the first one
  int64_t time_us = 0;    // when the log took it, microseconds since 1970: the same for all that read it
  std::string bytes;
};

// How far a node is.
struct AppliedRecord {
  uint64_t record = 0;  // the last one that was applied or skipped
  int64_t time_us = 0;  // LogRecord::time_us of it, by which it is known again; 0: not known
};

// Asked by what takes long, now and then; false: it ends early, with an error.
using GoesOn = std::function<bool()>;

class OrderedLog {
 public:
  virtual ~OrderedLog() = default;

  // A record may have so many bytes.
  static constexpr size_t kLongestRecord = 1'000'000;

  // Makes the log if there is none. An error if there is one that is not ours.
  virtual Result<void> Create() = 0;

  // The text that was agreed upon; nothing if none was yet.
  virtual Result<std::optional<std::string>> Agreed() = 0;
  // Agrees upon `text` if nothing was agreed upon; returns what was.
  virtual Result<std::string> Agree(const std::string& text) = 0;

  // Returns the number of the record when a quorum has it. After an error the log may have it or get it
  // later. What is published again under the same name soon is not taken twice.
  virtual Result<uint64_t> Publish(const std::string& name, std::string_view bytes) = 0;

  struct Batch {
    std::vector<LogRecord> records;  // numbers ascending; the first one is the first that there is
    uint64_t first = 0;              // all from this number on are there; 0: not known
    uint64_t last = 0;               // that it has, as far as known
  };
  // Records after number `after`, `most` of them at most. Waits up to `patience` if there are none yet.
  virtual Result<Batch> Read(uint64_t after, size_t most, std::chrono::milliseconds patience) = 0;
  // The number of its last record; 0 if it has none.
  virtual Result<uint64_t> Last() = 0;
  struct Rest {
    uint64_t first = 0;  // number of the first of them; 0: there is none
    uint64_t records = 0;
    uint64_t bytes = 0;     // about
    int64_t oldest_us = 0;  // when the servers took the first of them; 0: there is none
  };
  // What it has after number `after`.
  virtual Result<Rest> After(uint64_t after) = 0;
  // Read returns soon, and reads nothing from now on.
  virtual void EndReading() = 0;

  struct Entry {
    std::string text;
    int64_t time_us = 0;  // when the servers took it
  };
  // Keeps the text as the entry of a node for a day, in the place of the one before. REQUIRES: `node` is
  // letters and digits.
  virtual Result<void> PutEntry(const std::string& node, const std::string& text) = 0;
  // Of all nodes, in any order.
  virtual Result<std::vector<Entry>> Entries() = 0;

  // Keeps a piece of the snapshot of this name, behind those before. Returns its number, which grows from
  // piece to piece of all snapshots. REQUIRES: `snapshot` is letters and digits.
  virtual Result<uint64_t> PutPiece(const std::string& snapshot, std::string_view bytes) = 0;
  // Gives all pieces of the snapshot to `take`, in order. An error of `take` ends it, and is returned.
  using TakePiece = std::function<Result<void>(std::string_view)>;
  virtual Result<void> GetPieces(const std::string& snapshot, const TakePiece& take) = 0;
  // Removes all pieces of the snapshot of this name.
  virtual Result<void> DropPiecesOf(const std::string& snapshot) = 0;
  // Removes the pieces of all snapshots whose number is less. Ends early, with an error, if `goes_on` says
  // no.
  virtual Result<void> DropPieces(uint64_t before, const GoesOn& goes_on) = 0;
  // The text about the newest snapshot; nothing if there is none.
  virtual Result<std::optional<std::string>> Announced() = 0;
  virtual Result<void> Announce(const std::string& text) = 0;
  // Removes the records whose number is less. Ends early, with an error, if `goes_on` says no.
  virtual Result<void> DropRecords(uint64_t before, const GoesOn& goes_on) = 0;
};

// The log of the model of this name, with what it has in common with the logs of other models; of the model
// that a daemon with one has, by the name "". To be called from any thread.
using Logs = std::function<std::unique_ptr<OrderedLog>(const std::string& model)>;

}  // namespace thresher::pipeline

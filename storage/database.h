// One model's RocksDB directory: column families, format version, the lock, the settings of each family.
//
// Opened by the pipeline; ExampleLog and WeightTable work on it. FORMAT.md documents every key and value.
// RocksDB stays behind this folder: no header of it is included by a public header.
// Thread-safety: see RocksDB; open and close in one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/error.h"

namespace thresher::storage {

enum class Durability {
  kSync,   // an append is on disk when it returns
  kGroup,  // … when ExampleLog::Acknowledge returns, in which threads that append share their syncs
  kOs,  // the operating system writes it when it likes; a crash of the machine may lose the tail, a crash of
        // the process nothing
};

// Named texts of the model (tokenizer version, learner name, …), opaque here; written once, at creation.
using Meta = std::map<std::string, std::string, std::less<>>;

class Database {
 public:
  // Opens the model in `dir` for writing, as its only writer; creates it with `meta` if there is none.
  // Waits up to `wait` for another writer.
  static Result<std::unique_ptr<Database>> OpenOrCreate(const std::filesystem::path& dir, const Meta& meta,
                                                        Durability durability,
                                                        std::chrono::milliseconds wait);
  // Opens it for reading. Needs no lock, writes nothing, works in a read-only directory and while a writer is
  // at work; sees the state at this moment.
  static Result<std::unique_ptr<Database>> OpenForReading(const std::filesystem::path& dir);

  // Whether all that was on disk of the log of the model in `dir` can be read; else kCorrupt, which is also
  // what opening it for writing gives. Readers see what comes before the damage. Beside a writer, too.
  static Result<void> CheckLog(const std::filesystem::path& dir);
  // Cuts a damaged log at its damage, for good, so that the model can be written to again; the number of the
  // last example that is left. Nothing happens to a log that is whole.
  static Result<uint64_t> GiveUpLostExamples(const std::filesystem::path& dir,
                                             std::chrono::milliseconds wait);

  // Whether `dir` holds a model, of whatever version.
  static bool Exists(const std::filesystem::path& dir);
  // The same with the reason why it does not: kMissing, or that it cannot be looked into (kDenied).
  static Result<void> CheckExists(const std::filesystem::path& dir);

  ~Database();

  const Meta& meta() const;

  // The globals and sequence number of the last checkpoint (empty and 0 before the first).
  Result<std::string> ReadGlobals() const;
  Result<uint64_t> ReadAppliedSeq() const;

  // Bytes on disk per column family, and in all: live files and the score image.
  struct Sizes {
    std::map<std::string, uint64_t> families;
    uint64_t total = 0;
  };
  Result<Sizes> ReadSizes() const;

  // Waits for what was written to be compacted into as little space as it needs. Writers only.
  Result<void> Compact();

  class Impl;  // storage's own
  Impl& impl() const { return *impl_; }

 private:
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thresher::storage

// One model's RocksDB database: column families, format version, writer lock, settings of each family.
//
// Opened by the pipeline; ExampleLog and WeightTable work on it. FORMAT.md documents every key and value.
// Public headers of this folder do not include RocksDB's headers. Thread-safety: that of RocksDB; open and
// close in one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "storage/error.h"
#include "storage/writer_lock.h"

namespace thresher::storage {

enum class Durability {
  kSync,   // an example is on disk when Append returns
  kGroup,  // an example is on disk when ExampleLog::Acknowledge returns; threads share syncs there
  kOs,     // the operating system decides when to write; a crash of the machine may lose the last examples, a
           // crash of the process loses nothing
};

// Named texts of the model (tokenizer version, learner name, …), opaque here; written when a model is created
// and when WeightTable::StartOver replaces it; Database::AddText adds one.
using Meta = std::map<std::string, std::string, std::less<>>;

class DatabaseImpl;  // storage/database_impl.h, for this folder only

class Database {
 public:
  // Opens the model in `dir` for writing, as its only writer; creates it with `meta` if there is none.
  // Waits up to `wait` for another writer to finish.
  static Result<std::unique_ptr<Database>> OpenOrCreate(const std::filesystem::path& dir, const Meta& meta,
                                                        Durability durability, std::chrono::milliseconds wait,
                                                        const OnWait& on_wait = {});
  // Opens it for reading. Takes no lock, writes nothing, works in a read-only directory and beside a writer;
  // sees the state at this moment.
  static Result<std::unique_ptr<Database>> OpenForReading(const std::filesystem::path& dir);

  // Checks that every part of the log that was on disk can be read. If not, the result is kCorrupt, as it is
  // when the model is opened for writing; readers see what comes before the damage. Works beside a writer.
  static Result<void> CheckLog(const std::filesystem::path& dir);
  // Cuts a damaged log at the damage, permanently, so that the model can be written to again. Loses nothing
  // of an undamaged log.
  struct GivenUp {
    uint64_t last_left = 0;  // number of the last example that is left
    uint64_t last_lost = 0;  // of the last one that is known to be lost; 0 if none is
  };
  static Result<GivenUp> GiveUpLostExamples(const std::filesystem::path& dir, std::chrono::milliseconds wait,
                                            const OnWait& on_wait = {});

  // Success if `dir` holds a model, of any version; kMissing if it holds none; kCorrupt if it held one, of
  // which the database is missing. After another error (kUnreadable, kIo) nobody knows.
  static Result<void> CheckExists(const std::filesystem::path& dir);

  ~Database();

  const Meta& meta() const;
  // Adds a text, at once and on disk. Removes the score image, which has the others. Writers only. REQUIRES:
  // meta() has none of this name.
  Result<void> AddText(std::string_view name, const std::string& text);

  // The globals and the sequence number of the last checkpoint; empty and 0 before the first.
  Result<std::string> ReadGlobals() const;
  Result<uint64_t> ReadAppliedSeq() const;

  // Bytes on disk of each column family, in tables in use, and of the score image ("image"); and of all
  // files, with logs and tables that are not removed yet.
  struct Sizes {
    std::map<std::string, uint64_t> parts;
    uint64_t total = 0;
  };
  Result<Sizes> ReadSizes() const;

  // Compacts the database to the space it needs, and waits for that. Writers only.
  Result<void> Compact();

 private:
  friend struct DatabaseAccess;

  explicit Database(std::unique_ptr<DatabaseImpl> impl);
  std::unique_ptr<DatabaseImpl> impl_;
};

}  // namespace thresher::storage

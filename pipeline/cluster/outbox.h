// The operations of this node that the shared log may not have yet, in a file: they survive a crash, and are
// published later, in their order.
//
// The file begins with the author's random number and that of its first operation; both go on in the file
// that takes its place once all is published, or half of it and the file is full. Which one was published
// last is written there, too. It is no part of the model: a copy of a model is another author. A file that is
// damaged is not used: what follows on the damage was promised to users, and a number that the log has
// already must not be given again. So one that is older than the log goes on with another author. Used by the
// daemon's publishing thread. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/cluster/operation.h"
#include "pipeline/error.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {

class Outbox {
 public:
  // Opens the file at `path`, or makes it for a new author, whose number is `new_author`, or NewAuthor(). A
  // torn end, as a crash leaves it, is cut off: nobody was told that it was kept. kData if the file is
  // damaged in another way, or was written by a newer thresher. `most_bytes`: it takes nothing more if it
  // would be longer than that, and more than half of it waits.
  static Result<std::unique_ptr<Outbox>> Open(const std::filesystem::path& path, uint64_t most_bytes,
                                              std::optional<uint64_t> new_author = std::nullopt);
  // The number of a new author: random.
  static uint64_t NewAuthor();
  struct Contents {
    uint64_t author = 0;
    size_t waiting = 0;  // operations that the log may not have
  };
  // What the file at `path` has; nothing if there is none. Changes nothing, so that another may have it open.
  static Result<std::optional<Contents>> LookInto(const std::filesystem::path& path);

  uint64_t author() const { return author_; }
  // The number of the first operation that was not in the file when it was opened.
  uint64_t first_appended() const { return first_appended_; }
  // As `author`, and without what was in the file when it was opened. It was restored: the log has that, and
  // also what followed, so that numbers appended since would be taken for operations that came before. After
  // an error it is to be called again. REQUIRES: Sync was called after the last Append.
  Result<void> ContinueAs(uint64_t author);
  // Whether what waits is for the log of this model (SharedIdentity::Digest). kConfig: it was taught to
  // another model, as a model was put in the place of that one while the log could not be reached.
  Result<void> CheckIsFor(uint64_t identity) const;

  // Gives the operation its author and number, and puts it behind the others. It is kept when Sync has
  // returned; after an error of Sync nothing of all that was appended since the last one is left. kBusy if
  // the outbox is full. After another error nothing of the operation is left.
  Result<void> Append(Operation* operation);
  Result<void> Sync();

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  uint64_t bytes() const { return end_ - kHeaderBytes; }
  // The oldest one, encoded. REQUIRES: not empty.
  Result<std::string> Front() const;
  uint64_t FrontNumber() const { return next_number_ - entries_.size(); }
  // The log has it. That is written down, but not synced: after a crash of the machine it may be published
  // again, which changes nothing. REQUIRES: Sync was called after the last Append.
  Result<void> PopFront();
  // Whether the file still has bytes of operations that the log has.
  bool has_published() const { return waiting_bytes() < bytes(); }
  // Removes these bytes.
  Result<void> RemovePublished() { return Begin(); }

 private:
  struct Entry {
    uint64_t at = 0;  // of its bytes
    uint32_t size = 0;
  };
  static constexpr size_t kHeaderBytes = 56;

  Outbox(std::filesystem::path path, uint64_t most_bytes) : path_(std::move(path)), most_bytes_(most_bytes) {}
  Result<void> Load(std::string_view bytes);
  Result<void> Parse(std::string_view bytes);
  Result<void> Begin();
  Result<void> WriteAnew(uint64_t author, std::string_view waiting);
  Result<std::string> Read(uint64_t at, uint64_t size) const;
  // At the end of the file.
  uint64_t waiting_bytes() const {
    return entries_.empty() ? 0 : end_ - (entries_.front().at - sizeof(Entry::size));
  }
  bool CutOff();
  Error Failed(const char* what) const;

  std::filesystem::path path_;
  uint64_t most_bytes_;
  storage::Descriptor file_;
  uint64_t author_ = 0;
  uint64_t next_number_ = 1;
  uint64_t first_appended_ = 1;
  uint64_t end_ = 0;  // of the last entry
  std::deque<Entry> entries_;
  size_t unsynced_ = 0;  // the last ones of them
};

}  // namespace thresher::pipeline

// A model of a node, kept beside a shared log, for nodes that cannot begin with the first record.
//
// The files of a backup's database, one behind the other, in pieces that the servers take; and a note of
// them, which is written when all pieces are there. What is fetched is compared with the note: a snapshot
// that is torn, damaged or another one is refused. Used by the daemon's threads of a shared log.
// Thread-safety: plain values and functions without state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

struct SnapshotNote {
  std::string name = {};     // of its pieces: letters and digits
  uint64_t identity = 0;     // SharedIdentity::Digest
  uint64_t maker = 0;        // a node's number as an author
  uint64_t record = 0;       // the last one that the model has
  std::string model = {};    // its Model::Digest
  uint64_t pieces = 0;       // that it has,
  uint64_t bytes = 0;        // of all of them,
  std::string digest = {};   // of these bytes,
  uint64_t first_piece = 0;  // and the number that the servers gave the first one

  bool operator==(const SnapshotNote&) const = default;
};

std::string TextOf(const SnapshotNote& note);
// What TextOf wrote; kData for anything else.
Result<SnapshotNote> ReadSnapshotNote(std::string_view text);
// The newest one; nothing if there is none, or if what the log says of it cannot be read: then a node makes
// another one.
Result<std::optional<SnapshotNote>> ReadSnapshotNote(OrderedLog& log);

// A folder beside the model of `dir`, for a snapshot. No model can have its name: it begins with a dot.
std::filesystem::path PathBesideModel(const std::filesystem::path& dir, std::string_view what_for);

// Gives the servers the model in `backup`, and fills in what the note says of the pieces. Nobody hears of it
// yet.
Result<void> SendSnapshot(const std::filesystem::path& backup, OrderedLog& log, const GoesOn& goes_on,
                          SnapshotNote* note);
// The same, and then everybody hears of it. The log loses the records that `newest`, the snapshot before it,
// has, and the servers lose the pieces of those before that one.
Result<void> GiveSnapshot(const std::filesystem::path& backup, OrderedLog& log, const GoesOn& goes_on,
                          SnapshotNote note, const std::optional<SnapshotNote>& newest);
// Makes a model in `dir`, in the place of what was there, and on disk. After an error there is no model.
// kData: what the servers have is not what the note says; kNoInput: they do not have all of it, or not yet.
Result<void> FetchSnapshot(const SnapshotNote& note, OrderedLog& log, const GoesOn& goes_on,
                           const std::filesystem::path& dir);

}  // namespace thresher::pipeline

#include "pipeline/cluster/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "pipeline/cluster/snapshot_bytes.h"
#include "pipeline/model/store_error.h"
#include "storage/byte_order.h"
#include "storage/private_directory.h"
#include "storage/store_directory.h"
#include "storage/stream_digest.h"
#include "storage/write_file.h"

namespace thresher::pipeline {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kNoteForm = "thresher-snapshot";
// A piece is its number in the snapshot, from 0, u64 little-endian, and some bytes.
constexpr size_t kMostBytes = 900'000;

uint64_t Whole(const json& number) {
  if (!number.is_number_unsigned()) throw std::invalid_argument("no whole number");
  return number.get<uint64_t>();
}

Error Damaged(const SnapshotNote& note, std::string_view why) {
  return {kData, fmt::format("the snapshot after record {} is refused: {}", note.record, why)};
}

// A server that has just been started may not have all of them yet.
Error Missing(const SnapshotNote& note, uint64_t piece) {
  return {kNoInput, fmt::format("the servers have no piece {} of the {} of the snapshot after record {}",
                                piece, note.pieces, note.record)};
}

Error Ended() { return {kBusy, "the daemon is stopping"}; }

class Sender {
 public:
  Sender(OrderedLog& log, const GoesOn& goes_on, SnapshotNote* note)
      : log_(log), goes_on_(goes_on), note_(note) {}

  Result<void> Take(std::string_view bytes) {
    digest_.Add(bytes);
    note_->bytes += bytes.size();
    while (!bytes.empty()) {
      const size_t now = std::min(kMostBytes - piece_.size(), bytes.size());
      piece_ += bytes.substr(0, now);
      bytes.remove_prefix(now);
      if (piece_.size() < kMostBytes) continue;
      if (auto sent = Send(); !sent) return sent;
    }
    return {};
  }
  Result<void> Finish() {
    if (!piece_.empty()) {
      if (auto sent = Send(); !sent) return sent;
    }
    note_->digest = digest_.LongHex();
    return {};
  }

 private:
  Result<void> Send() {
    if (!goes_on_()) return tl::unexpected(Ended());
    std::string bytes;
    storage::AppendLittle(note_->pieces, &bytes);
    const auto number = log_.PutPiece(note_->name, bytes + piece_);
    if (!number) return tl::unexpected(number.error());
    if (note_->pieces++ == 0) note_->first_piece = *number;
    piece_.clear();
    return {};
  }

  OrderedLog& log_;
  const GoesOn& goes_on_;
  SnapshotNote* note_;
  storage::StreamDigest digest_;
  std::string piece_;
};

class Fetcher {
 public:
  Fetcher(const SnapshotNote& note, const GoesOn& goes_on, const fs::path& folder)
      : note_(note), goes_on_(goes_on), unpacking_(folder, note.bytes) {}

  Result<void> Take(std::string_view piece) {
    if (!goes_on_()) return tl::unexpected(Ended());
    if (piece.size() < sizeof(uint64_t)) return tl::unexpected(Damaged(note_, "a piece is none"));
    const auto number = storage::LoadLittle<uint64_t>(piece.data());
    if (number < pieces_) return {};  // it was sent twice, as its answer was lost
    if (number != pieces_) return tl::unexpected(Missing(note_, pieces_));
    ++pieces_;
    piece.remove_prefix(sizeof(uint64_t));
    digest_.Add(piece);
    bytes_ += piece.size();
    return unpacking_.Take(piece);
  }
  Result<void> Finish() const {
    if (pieces_ < note_.pieces) return tl::unexpected(Missing(note_, pieces_));
    if (bytes_ != note_.bytes || pieces_ != note_.pieces) {
      return tl::unexpected(
          Damaged(note_, fmt::format("it has {} pieces and {} bytes, and should have {} and {}", pieces_,
                                     bytes_, note_.pieces, note_.bytes)));
    }
    if (digest_.LongHex() != note_.digest)
      return tl::unexpected(Damaged(note_, "its bytes have another digest"));
    return unpacking_.Finish();
  }

 private:
  const SnapshotNote& note_;
  const GoesOn& goes_on_;
  Unpacking unpacking_;
  storage::StreamDigest digest_;
  uint64_t pieces_ = 0;
  uint64_t bytes_ = 0;
};

Result<void> FetchInto(const SnapshotNote& note, OrderedLog& log, const GoesOn& goes_on,
                       const fs::path& folder) {
  Fetcher fetcher(note, goes_on, folder);
  const auto taken = log.GetPieces(note.name, [&](std::string_view piece) { return fetcher.Take(piece); });
  return taken ? fetcher.Finish() : taken;
}

// Before it is fetched: on a full disk, what users teach could not be kept meanwhile.
Result<void> CheckRoom(const SnapshotNote& note, const fs::path& dir) {
  std::error_code unknown;
  const uint64_t room = fs::space(dir, unknown).available;
  if (unknown || note.bytes <= room) return {};
  return tl::unexpected(
      Error{kIo, fmt::format("{}: there is room for {} bytes, and the snapshot after record {} takes {}",
                             dir.string(), room, note.record, note.bytes)});
}

Result<void> MakeEmpty(const fs::path& dir) {
  std::error_code error;
  fs::remove_all(dir, error);
  if (error) return tl::unexpected(Error{kIo, fmt::format("{}: {}", dir.string(), error.message())});
  for (const fs::path& each : {dir, storage::UnfinishedPath(dir)}) {
    if (auto made = storage::MakePrivateDirectory(each); !made) return StoreFailure(made.error());
  }
  return {};
}

// The servers may have the note though their answer was lost. If they have not, its pieces leave again; if
// that cannot be asked, they stay.
Result<void> AnnounceOrDrop(const SnapshotNote& note, OrderedLog& log) {
  auto announced = log.Announce(TextOf(note));
  if (announced) return announced;
  const auto there = ReadSnapshotNote(log);
  if (there && *there && (*there)->name == note.name) return {};
  if (there) static_cast<void>(log.DropPiecesOf(note.name));
  return announced;
}

}  // namespace

std::string TextOf(const SnapshotNote& note) {
  const json text = {{"form", kNoteForm},
                     {"format", 1},
                     {"name", note.name},
                     {"identity", note.identity},
                     {"maker", note.maker},
                     {"record", note.record},
                     {"model", note.model},
                     {"pieces", note.pieces},
                     {"bytes", note.bytes},
                     {"digest", note.digest},
                     {"first_piece", note.first_piece}};
  return text.dump();
}

Result<SnapshotNote> ReadSnapshotNote(std::string_view text) {
  try {
    const json found = json::parse(text);
    if (found.at("form") != kNoteForm || found.at("format") != 1) throw std::invalid_argument("another form");
    SnapshotNote note{.name = found.at("name").get<std::string>(),
                      .identity = Whole(found.at("identity")),
                      .maker = Whole(found.at("maker")),
                      .record = Whole(found.at("record")),
                      .model = found.at("model").get<std::string>(),
                      .pieces = Whole(found.at("pieces")),
                      .bytes = Whole(found.at("bytes")),
                      .digest = found.at("digest").get<std::string>(),
                      .first_piece = Whole(found.at("first_piece"))};
    const auto is_safe = [](unsigned char c) { return std::isalnum(c) != 0; };
    if (note.name.empty() || !std::all_of(note.name.begin(), note.name.end(), is_safe))
      throw std::invalid_argument("no name");
    return note;
  } catch (const std::exception&) {
    return tl::unexpected(Error{kData, "what the log says of its snapshot cannot be read"});
  }
}

Result<std::optional<SnapshotNote>> ReadSnapshotNote(OrderedLog& log) {
  const auto text = log.Announced();
  if (!text) return tl::unexpected(text.error());
  if (!*text) return std::nullopt;
  auto note = ReadSnapshotNote(**text);
  return note ? std::optional(*std::move(note)) : std::nullopt;
}

fs::path PathBesideModel(const fs::path& dir, std::string_view what_for) {
  return dir.parent_path() / fmt::format(".{}.{}", dir.filename().string(), what_for);
}

Result<void> SendSnapshot(const fs::path& backup, OrderedLog& log, const GoesOn& goes_on,
                          SnapshotNote* note) {
  Sender sender(log, goes_on, note);
  const auto packed =
      PackFolder(storage::DatabasePath(backup), [&](std::string_view bytes) { return sender.Take(bytes); });
  return packed ? sender.Finish() : packed;
}

// What is removed is needed by nobody who can begin with `newest`.
Result<void> GiveSnapshot(const fs::path& backup, OrderedLog& log, const GoesOn& goes_on, SnapshotNote note,
                          const std::optional<SnapshotNote>& newest) {
  if (auto sent = SendSnapshot(backup, log, goes_on, &note); !sent) {
    // Attempts in vain must not fill the disks of the servers, which keep the log.
    static_cast<void>(log.DropPiecesOf(note.name));
    return sent;
  }
  if (auto announced = AnnounceOrDrop(note, log); !announced) return announced;
  if (!newest || newest->record > note.record) return {};
  auto dropped = log.DropRecords(newest->record + 1, goes_on);
  // Pieces are counted anew if their stream was made again.
  if (dropped) dropped = log.DropPieces(std::min(newest->first_piece, note.first_piece), goes_on);
  return dropped.map_error([](Error error) {
    error.message = "it was made, but what it replaces could not be removed: " + error.message;
    return error;
  });
}

// It is no model before it is known to be whole.
Result<void> FetchSnapshot(const SnapshotNote& note, OrderedLog& log, const GoesOn& goes_on,
                           const fs::path& dir) {
  if (auto made = MakeEmpty(dir); !made) return made;
  const fs::path folder = storage::UnfinishedPath(dir);
  auto fetched = CheckRoom(note, dir);
  if (fetched) fetched = FetchInto(note, log, goes_on, folder);
  if (!fetched) {
    std::error_code none;
    fs::remove_all(dir, none);
    return fetched;
  }
  if (auto synced = storage::SyncDirectory(folder); !synced) return StoreFailure(synced.error());
  std::error_code error;
  fs::rename(folder, storage::DatabasePath(dir), error);
  if (error) return tl::unexpected(Error{kIo, fmt::format("{}: {}", dir.string(), error.message())});
  if (auto synced = storage::SyncDirectory(dir); !synced) return StoreFailure(synced.error());
  return {};
}

}  // namespace thresher::pipeline

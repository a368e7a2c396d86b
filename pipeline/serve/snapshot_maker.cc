#include "pipeline/serve/snapshot_maker.h"

#include <fmt/format.h>

#include <random>
#include <system_error>
#include <utility>

#include "pipeline/model/store_error.h"
#include "storage/backup.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

// Two attempts after one record must not mix their pieces.
std::string NewName() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

void Remove(const fs::path& folder) {
  std::error_code none;  // the next copy says so
  fs::remove_all(folder, none);
}

}  // namespace

fs::path SnapshotMaker::FolderOf(const fs::path& dir) { return PathBesideModel(dir, "snapshot"); }

Result<void> SnapshotMaker::Copy(Model& model, Follower& follower, const fs::path& dir, uint64_t identity,
                                 uint64_t maker) {
  if (auto done = follower.Finish(model); !done) return done;
  if (auto done = model.Acknowledge(); !done) return done;
  auto digest = model.Digest();
  if (!digest) return tl::unexpected(digest.error());
  const fs::path folder = FolderOf(dir);
  Remove(folder);
  const auto backup = storage::BackUp(dir, folder);
  NoteAttempt(maker, follower.position(), backup ? "" : FromStore(backup.error()).message);
  const std::lock_guard lock(mutex_);
  folder_ = folder;
  if (!backup) return {};
  copied_ = SnapshotNote{.name = NewName(),
                         .identity = identity,
                         .maker = maker,
                         .record = follower.position(),
                         .model = *std::move(digest)};
  return {};
}

std::optional<uint64_t> SnapshotMaker::copied() const {
  const std::lock_guard lock(mutex_);
  return copied_ ? std::optional(copied_->record) : std::nullopt;
}

void SnapshotMaker::Send(const std::optional<SnapshotNote>& newest) {
  if (sender_.joinable()) sender_.join();
  const std::lock_guard lock(mutex_);
  is_sending_ = true;
  sender_ =
      std::thread([this, newest, note = *std::exchange(copied_, std::nullopt)] { SendAll(note, newest); });
}

void SnapshotMaker::Discard() {
  Remove(folder_);
  const std::lock_guard lock(mutex_);
  copied_.reset();
}

void SnapshotMaker::SendAll(const SnapshotNote& note, const std::optional<SnapshotNote>& newest) {
  const Result<void> done = GiveSnapshot(
      folder_, log_, [this] { return !stop_; }, note, newest);
  Remove(folder_);
  NoteAttempt(note.maker, note.record, done ? "" : done.error().message);
  is_sending_ = false;
}

void SnapshotMaker::NoteAttempt(uint64_t maker, uint64_t record, std::string trouble) {
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(trouble);
  attempted_ = record;
  attempter_ = maker;
}

// One of this node's own may be there, and what it replaces could not be removed.
void SnapshotMaker::Meet(const SnapshotNote& newest) {
  const std::lock_guard lock(mutex_);
  if (newest.maker != attempter_ && newest.record >= attempted_) trouble_.clear();
}

std::string SnapshotMaker::Trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void SnapshotMaker::Stop() {
  stop_ = true;
  if (sender_.joinable()) sender_.join();
  if (copied()) Discard();
}

}  // namespace thresher::pipeline

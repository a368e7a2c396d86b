#include "pipeline/cluster/snapshot_taker.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "pipeline/cluster/follower.h"
#include "pipeline/cluster/membership.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

// The model that stands in `dir` is that of the note.
Result<void> Check(const SnapshotNote& note, const SharedIdentity& identity, const Settings& settings,
                   const fs::path& dir) {
  const auto refuse = [&](std::string_view why) {
    return tl::unexpected(
        Error{kData, fmt::format("the snapshot after record {} is refused: {}", note.record, why)});
  };
  // Not for the state of this machine, as a full disk or too many open files: that may pass.
  const auto refuse_if_wrong = [&](const Error& error) {
    const bool is_wrong = error.exit_code == kData || error.exit_code == kConfig;
    return is_wrong ? refuse(error.message) : tl::unexpected(error);
  };
  const auto member = OpenFollowing(dir, settings, identity);
  if (!member) return refuse_if_wrong(member.error());
  Follower follower(identity.Digest(), /*digest_every=*/0);
  if (auto resumed = follower.Resume(*member->model); !resumed) return refuse_if_wrong(resumed.error());
  if (follower.position() != note.record)
    return refuse(fmt::format("its model has the records up to {}", follower.position()));
  const auto digest = member->model->Digest();
  if (!digest) return tl::unexpected(digest.error());
  if (*digest != note.model)
    return refuse(fmt::format("its model is ({}) and should be ({})", *digest, note.model));
  return {};
}

}  // namespace

fs::path IncomingPath(const fs::path& dir) { return PathBesideModel(dir, "incoming"); }

Result<void> SnapshotTaker::Take(const SnapshotNote& note, const SharedIdentity& identity,
                                 const Settings& settings, OrderedLog& log, const fs::path& dir) {
  const std::lock_guard lock(mutex_);
  if (IsTooSoonFor(note)) return tl::unexpected(failed_->why);
  Result<void> taken;
  if (note.identity != identity.Digest()) {
    taken = tl::unexpected(
        Error{kData, fmt::format("the snapshot after record {} is that of another log", note.record)});
  }
  if (taken) taken = FetchSnapshot(note, log, goes_on_, dir);
  if (taken) taken = Check(note, identity, settings, dir);
  failed_.reset();
  wanted_ = 0;
  if (taken) return taken;
  std::error_code none;
  fs::remove_all(dir, none);
  const int code = taken.error().exit_code;
  if (code == kData || code == kNoInput) wanted_ = note.record + 1;
  failed_ = {note.name, taken.error(), Clock::now()};
  return taken;
}

void SnapshotTaker::CouldNotUse(const SnapshotNote& note, Error why) {
  const std::lock_guard lock(mutex_);
  if (why.exit_code == kData) why.exit_code = kIo;
  failed_ = {note.name, std::move(why), Clock::now()};
}

uint64_t SnapshotTaker::wanted() const {
  const std::lock_guard lock(mutex_);
  return wanted_;
}

bool SnapshotTaker::IsTooSoonFor(const SnapshotNote& note) const {
  if (!failed_ || failed_->name != note.name) return false;
  return failed_->why.exit_code == kData || Clock::now() < failed_->at + again_after_;
}

}  // namespace thresher::pipeline

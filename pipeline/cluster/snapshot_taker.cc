#include "pipeline/cluster/snapshot_taker.h"

#include <fmt/format.h>

#include <system_error>

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
  if (why_ && refused_ == note.name) return tl::unexpected(*why_);
  Result<void> taken;
  if (note.identity != identity.Digest()) {
    taken = tl::unexpected(
        Error{kData, fmt::format("the snapshot after record {} is that of another log", note.record)});
  }
  if (taken) taken = FetchSnapshot(note, log, goes_on_, dir);
  if (taken) taken = Check(note, identity, settings, dir);
  if (taken) return taken;
  std::error_code none;
  fs::remove_all(dir, none);
  if (taken.error().exit_code == kData) {
    refused_ = note.name;
    why_ = taken.error();
  }
  return taken;
}

}  // namespace thresher::pipeline

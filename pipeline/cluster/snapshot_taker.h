// Fetches the newest snapshot of a shared log as a model, and checks that it is the one that its note names.
//
// Used where a node begins (membership.h), and by a node that is behind the beginning of the log or has
// another model than most. Thread-safety: any threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "pipeline/cluster/shared_identity.h"
#include "pipeline/cluster/snapshot.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

class SnapshotTaker {
 public:
  // `again_after`: how long one that could not be taken is left alone.
  explicit SnapshotTaker(GoesOn goes_on,
                         std::chrono::milliseconds again_after = ClusterSettings().snapshot_again)
      : goes_on_(std::move(goes_on)), again_after_(again_after) {}

  // Makes its model in `dir`, in the place of what was there. The model takes part in memory for that time.
  // kData: it is not what its note says, or that of another log; it is not fetched again. Any other error may
  // pass: it is fetched again when asked for, so much later at the soonest. Until then, the same error is
  // returned. Nothing of it is left after an error.
  Result<void> Take(const SnapshotNote& note, const SharedIdentity& identity, const Settings& settings,
                    OrderedLog& log, const std::filesystem::path& dir);
  // Tells that the one that was taken is of no use here, as if Take had failed. It may be fetched again
  // later.
  void CouldNotUse(const SnapshotNote& note, Error why);

  // Who cannot go on without a snapshot needs one after this record or a later one (NodeEntry::wants), as the
  // last one that was asked for is damaged, or the servers do not have all of it; 0: it was none of that.
  uint64_t wanted() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Failed {
    std::string name;  // of the snapshot
    Error why;
    Clock::time_point at;
  };

  // With mutex_ held.
  bool IsTooSoonFor(const SnapshotNote& note) const;

  GoesOn goes_on_;
  std::chrono::milliseconds again_after_;
  mutable std::mutex mutex_;  // of what follows
  std::optional<Failed> failed_;
  uint64_t wanted_ = 0;
};

// Where the model of `dir` is made before it takes its place.
std::filesystem::path IncomingPath(const std::filesystem::path& dir);

}  // namespace thresher::pipeline

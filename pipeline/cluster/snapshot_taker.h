// Fetches the newest snapshot of a shared log as a model, and checks that it is the one that its note names.
//
// Used where a node begins (membership.h), and by a node that is behind the beginning of the log or has
// another model than most. Thread-safety: any threads.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "pipeline/cluster/shared_identity.h"
#include "pipeline/cluster/snapshot.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

class SnapshotTaker {
 public:
  explicit SnapshotTaker(GoesOn goes_on) : goes_on_(std::move(goes_on)) {}

  // Makes its model in `dir`, in the place of what was there. The model takes part in memory for that time.
  // kData: it is not what its note says, or that of another log; nothing of it is left, and it is not fetched
  // again. Any other error may pass: it is fetched again when asked for.
  Result<void> Take(const SnapshotNote& note, const SharedIdentity& identity, const Settings& settings,
                    OrderedLog& log, const std::filesystem::path& dir);

 private:
  GoesOn goes_on_;
  std::mutex mutex_;     // of what follows
  std::string refused_;  // name of the snapshot
  std::optional<Error> why_;
};

// Where the model of `dir` is made before it takes its place.
std::filesystem::path IncomingPath(const std::filesystem::path& dir);

}  // namespace thresher::pipeline

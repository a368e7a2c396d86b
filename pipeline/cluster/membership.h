// Opens the model of a node: one that follows the log already, or one that joins it.
//
// A model that follows a log is opened without asking the log, so that a node that is cut off from it goes on
// scoring. The first node agrees with the log upon its own model, which may have been taught before; another
// one begins with the newest snapshot, or as the first one began if there is none; or it stands on a backup
// of a node. Used by the daemon in the model's thread. Thread-safety: one thread.
#pragma once

#include <filesystem>
#include <memory>

#include "pipeline/cluster/ordered_log.h"
#include "pipeline/cluster/shared_identity.h"
#include "pipeline/cluster/snapshot_taker.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct Member {
  std::unique_ptr<Model> model;
  SharedIdentity identity;
};

// As OpenOrCreateModel opens it for a daemon. `stream`: the name of the log. kConfig: the model follows
// another log, the log is another model's, or the command line names another value than the nodes agreed
// upon; the error names both. kBusy, too: the log has records, and what was agreed upon was lost.
Result<Member> OpenMember(const std::filesystem::path& dir, const Settings& settings,
                          const std::string& stream, OrderedLog& log, SnapshotTaker& snapshots);
// The model in `dir`, which follows this log already.
Result<Member> OpenFollowing(const std::filesystem::path& dir, const Settings& settings,
                             const SharedIdentity& identity);

// Whether the log is that of this model, and the record at `position`, if the log still has it, is the one
// that the model has. If the log has that record, and what was agreed upon was lost, it is put back. kBusy:
// the log cannot be reached; any other error says why it is not.
Result<void> CheckLog(const SharedIdentity& own, const AppliedRecord& position, OrderedLog& log);
// All records of the log from this number on are there, as far as known; 0 if nothing is.
uint64_t FirstOf(const OrderedLog::Batch& batch);
// Whether the log has lost records after `position`, so that this node needs a snapshot.
bool IsBehind(const OrderedLog::Batch& batch, uint64_t position);
// Whether what was read after record `position` follows on it.
Result<void> CheckFollowsOn(const OrderedLog::Batch& batch, uint64_t position, const std::string& stream);

}  // namespace thresher::pipeline

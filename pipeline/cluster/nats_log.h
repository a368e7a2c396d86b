// Shared logs on NATS JetStream: a stream that a quorum of servers keeps, and key-value buckets beside it.
//
// Of the log NAME the stream is NAME. Each model has a subject in it, and keys in two buckets: in
// thresher-NAME, "identity" is what was agreed upon and "snapshot" the note of the newest snapshot; in
// thresher_nodes-NAME, ID is the entry of a node (nats_names.h). Pieces of snapshots are in a stream of
// their own (nats_snapshots.h). All logs have one connection, made when it is first needed, and again as
// long as it takes. Made by daemon.cc and follow_here.cc. Thread-safety: as OrderedLog.
#pragma once

#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

// kConfig if the library is not installed, or the name of the log is none. REQUIRES: settings.log
Result<Logs> MakeNatsLogs(const ClusterSettings& settings);

}  // namespace thresher::pipeline

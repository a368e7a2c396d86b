// A shared log on NATS JetStream: a stream that a quorum of servers keeps, and a key-value bucket beside it.
//
// Of the log NAME the stream is NAME and its subject thresher.NAME. Beside it are two buckets: in
// thresher-NAME, "identity" is what was agreed upon and "snapshot" the note of the newest snapshot; in
// thresher_nodes-NAME, ID is the entry of a node. Pieces of snapshots are in a stream of their own
// (nats_snapshots.h). Connects when it is first asked, and again as long as it takes. Thread-safety: as
// OrderedLog.
#pragma once

#include <memory>

#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

// kConfig if the library is not installed, or the name of the log is none. REQUIRES: settings.log
Result<std::unique_ptr<OrderedLog>> MakeNatsLog(const ClusterSettings& settings);

}  // namespace thresher::pipeline

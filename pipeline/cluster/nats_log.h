// A shared log on NATS JetStream: a stream that a quorum of servers keeps, and a key-value bucket beside it.
//
// Of the log NAME the stream is NAME, its subject thresher.NAME, and the bucket thresher-NAME, in which
// "identity" is what was agreed upon and "node.ID" the entry of a node. Connects when it is first asked, and
// again as long as it takes. Thread-safety: as OrderedLog.
#pragma once

#include <memory>

#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"

namespace thresher::pipeline {

// kConfig if the library is not installed, or the name of the log is none. REQUIRES: settings.log
Result<std::unique_ptr<OrderedLog>> MakeNatsLog(const ClusterSettings& settings);

}  // namespace thresher::pipeline

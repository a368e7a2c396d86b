// When a node makes a snapshot for the others, and when they may hear of it.
//
// Of the nodes that are there and follow, the one with the least number makes them. Two that take themselves
// for it make two snapshots; the later note holds. Used by the daemon's thread that reads the log.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/cluster/nodes.h"
#include "pipeline/cluster/snapshot.h"

namespace thresher::pipeline {

// The moment: this node, all nodes, the newest snapshot.
struct SnapshotMoment {
  const NodeEntry& own;
  const std::vector<NodeEntry>& nodes;
  const std::optional<SnapshotNote>& newest;
};

// One is due after `every` records, or if a node needs it. `begins_taught`: the log began with a model that
// was taught before, so that no node can begin without one.
bool SnapshotIsDue(const SnapshotMoment& now, uint64_t every, bool begins_taught);

// Whether a model that was copied after `record` is known to be that of most nodes, as it was compared with
// theirs after that record or a later one; or nobody is there who follows.
bool IsConfirmed(uint64_t record, const Comparison& compared, const NodeEntry& own,
                 const std::vector<NodeEntry>& nodes);

}  // namespace thresher::pipeline

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
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/cluster/snapshot.h"

namespace thresher::pipeline {

// The moment: this node, all nodes, the newest snapshot.
struct SnapshotMoment {
  const NodeEntry& own;
  const std::vector<NodeEntry>& nodes;
  const std::optional<SnapshotNote>& newest;
};

// Whether this node is the one that makes them, and has records that the newest one has not.
bool MayMakeSnapshot(const SnapshotMoment& now);

// How far the log may grow behind a snapshot until the next one is due; 0: without end.
struct SnapshotBounds {
  uint64_t records = 0;
  uint64_t bytes = 0;
  int64_t age_us = 0;  // of the oldest record
};
// One is due when the log is beyond a bound, or if a node needs it. `rest`: what the log has behind the
// newest one. `begins_taught`: it began with a model that was taught before, so that no node can begin
// without one. REQUIRES: MayMakeSnapshot
bool SnapshotIsDue(const SnapshotMoment& now, const SnapshotBounds& bounds, const OrderedLog::Rest& rest,
                   bool begins_taught);

// What is to be done about a copy of the model that was made after record `copied` and waits.
enum class CopyStep {
  kWait,
  kSend,     // it is known to be the model of most nodes
  kDiscard,  // another node was faster, or this node's model may be wrong
};
// digest_every: of the settings; 0: models are not compared.
CopyStep StepOfCopy(uint64_t copied, const SnapshotMoment& now, const Comparison& compared,
                    uint64_t digest_every);

// A node that cannot go on with the records that there are.
struct SnapshotNeed {
  uint64_t node = 0;     // its number
  uint64_t least = 0;    // it needs a snapshot after this record or a later one
  bool differs = false;  // its model is another one than that of most: it takes none of its own making
};
bool Helps(const std::optional<SnapshotNote>& newest, const SnapshotNeed& need);
// What such a node says in its entry if the newest one does not help (NodeEntry::wants).
uint64_t WantedAfter(const std::optional<SnapshotNote>& newest, const SnapshotNeed& need);
// A node that was made again is as good as any other by now: it may be made again once more.
bool HasProvenItself(const NodeEntry& own, const Comparison& compared);

// Whether a model that was copied after `record` is known to be that of most nodes, as it was compared with
// theirs after that record or a later one; or nobody is there who follows.
bool IsConfirmed(uint64_t record, const Comparison& compared, const NodeEntry& own,
                 const std::vector<NodeEntry>& nodes);

}  // namespace thresher::pipeline

// What the nodes of a shared log say of themselves beside it, and whether their models are equal.
//
// Each node has an entry, which it renews from time to time. It has digests of the model, each with the
// record after which it was made: only those after the same record are compared. Called by the thread of the
// daemon that reads the log. Thread-safety: plain values and functions without state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster/follower.h"
#include "pipeline/cluster/ordered_log.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

enum class NodeState {
  kFollowing,
  kNotFollowed,  // it cannot read, apply or publish
  kUnequal,      // the models differ, and no model is that of most nodes; it goes on
  kDiffers,      // the model is another one than that of most nodes; it has stopped applying
};
std::string_view NameOf(NodeState state);

struct NodeEntry {
  uint64_t id = 0;        // its number as an author of operations
  std::string name = {};  // of its machine
  std::string version = {};
  NodeState state = NodeState::kFollowing;
  uint64_t position = 0;  // the last record that it has applied
  uint64_t last = 0;      // of the log, as far as it knows
  uint64_t outbox = 0;
  uint64_t wants = 0;        // it needs a snapshot after this record or a later one; 0: it needs none
  uint64_t renewed = 0;      // it differed, and was made again from the snapshot after this record
  std::string trouble = {};  // why it does not follow, or from what model its own differs
  std::vector<ModelDigest> digests = {};  // the last ones, ascending
  int64_t seen_us = 0;                    // when the servers took the entry
};

std::string TextOf(const NodeEntry& entry);
// What TextOf wrote, without seen_us; kData for anything else.
Result<NodeEntry> ReadNodeEntry(std::string_view text);

// Of all nodes that were there within a day, ordered by name and id. What is no entry of a node is left out.
Result<std::vector<NodeEntry>> ReadNodes(OrderedLog& log);

// Of the newest entry: the time of the servers' clock at least. 0 if there is no entry.
int64_t NewestOf(const std::vector<NodeEntry>& nodes);
// A node that has not renewed its entry for a minute.
bool IsAway(const NodeEntry& node, int64_t newest_us);

// Whether a node is to read the entries of all nodes again, so long after it did so: every 2 s, and at once
// if it made a digest. `entries`: those that it reads so, of all its models that follow a log. If they are
// more than 100, it does so less often, so that what one reads a second does not grow with their number; yet
// several times before one is away.
bool MeetingIsDue(std::chrono::milliseconds since, size_t entries, bool has_new_digest);

struct Comparison {
  NodeState state = NodeState::kFollowing;  // or kUnequal, kDiffers
  std::string why;                          // empty for kFollowing
  uint64_t record = 0;                      // after which the models were compared; 0: they were not
};
// Compares a node with those of `nodes` that are there, after the last record after which one of them has a
// digest, too. `nodes` may have the node's own earlier entry.
Comparison CompareWithNodes(const NodeEntry& own, const std::vector<NodeEntry>& nodes);

}  // namespace thresher::pipeline

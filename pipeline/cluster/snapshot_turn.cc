#include "pipeline/cluster/snapshot_turn.h"

#include <algorithm>

namespace thresher::pipeline {
namespace {

// That are there.
bool AnyOther(const NodeEntry& own, const std::vector<NodeEntry>& nodes, const auto& is_so) {
  const int64_t newest_us = NewestOf(nodes);
  return std::any_of(nodes.begin(), nodes.end(), [&](const NodeEntry& each) {
    return each.id != own.id && !IsAway(each, newest_us) && is_so(each);
  });
}

bool Follows(const NodeEntry& node) { return node.state == NodeState::kFollowing; }

}  // namespace

bool SnapshotIsDue(const SnapshotMoment& now, uint64_t every, bool begins_taught) {
  const NodeEntry& own = now.own;
  if (!Follows(own) || own.wants != 0 || every == 0) return false;
  if (AnyOther(own, now.nodes, [&](const NodeEntry& each) { return Follows(each) && each.id < own.id; }))
    return false;
  const uint64_t last = now.newest ? now.newest->record : 0;
  if (own.position < last) return false;
  const bool is_wanted = AnyOther(
      own, now.nodes, [&](const NodeEntry& each) { return each.wants > last && each.wants <= own.position; });
  return is_wanted || own.position - last >= every || (begins_taught && !now.newest);
}

bool IsConfirmed(uint64_t record, const Comparison& compared, const NodeEntry& own,
                 const std::vector<NodeEntry>& nodes) {
  if (compared.state != NodeState::kFollowing) return false;
  return compared.record >= record || !AnyOther(own, nodes, Follows);
}

}  // namespace thresher::pipeline

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

CopyStep StepOfCopy(uint64_t copied, const SnapshotMoment& now, const Comparison& compared,
                    uint64_t digest_every) {
  if (now.newest && now.newest->record >= copied) return CopyStep::kDiscard;
  const bool follows = compared.state == NodeState::kFollowing;
  if (IsConfirmed(copied, compared, now.own, now.nodes) || (digest_every == 0 && follows))
    return CopyStep::kSend;
  return follows ? CopyStep::kWait : CopyStep::kDiscard;
}

bool Helps(const std::optional<SnapshotNote>& newest, const SnapshotNeed& need) {
  return newest && newest->record >= need.least && !(need.differs && newest->maker == need.node);
}

uint64_t WantedAfter(const std::optional<SnapshotNote>& newest, const SnapshotNeed& need) {
  return std::max(need.least, newest ? newest->record + 1 : 1);
}

bool HasProvenItself(const NodeEntry& own, const Comparison& compared) {
  return compared.state == NodeState::kFollowing && compared.record > own.renewed &&
         own.digests.size() == Follower::kMostDigests && own.digests.front().record > own.renewed;
}

bool IsConfirmed(uint64_t record, const Comparison& compared, const NodeEntry& own,
                 const std::vector<NodeEntry>& nodes) {
  if (compared.state != NodeState::kFollowing) return false;
  return compared.record >= record || !AnyOther(own, nodes, Follows);
}

}  // namespace thresher::pipeline

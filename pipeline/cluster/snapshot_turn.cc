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

uint64_t RecordOf(const std::optional<SnapshotNote>& newest) { return newest ? newest->record : 0; }

}  // namespace

bool MayMakeSnapshot(const SnapshotMoment& now) {
  const NodeEntry& own = now.own;
  const bool has_more = !now.newest || own.position > now.newest->record;
  return has_more && Follows(own) && own.wants == 0 &&
         !AnyOther(own, now.nodes, [&](const NodeEntry& each) { return Follows(each) && each.id < own.id; });
}

bool SnapshotIsDue(const SnapshotMoment& now, const SnapshotBounds& bounds, const OrderedLog::Rest& rest,
                   bool begins_taught) {
  const NodeEntry& own = now.own;
  const uint64_t last = RecordOf(now.newest);
  const bool is_wanted = AnyOther(
      own, now.nodes, [&](const NodeEntry& each) { return each.wants > last && each.wants <= own.position; });
  const bool is_old = rest.oldest_us != 0 && NewestOf(now.nodes) - rest.oldest_us >= bounds.age_us;
  return is_wanted || (begins_taught && !now.newest) ||
         (bounds.records != 0 && rest.records >= bounds.records) ||
         (bounds.bytes != 0 && rest.bytes >= bounds.bytes) || (bounds.age_us != 0 && is_old);
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

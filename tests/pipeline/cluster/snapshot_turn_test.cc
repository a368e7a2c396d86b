// When a snapshot is made, by which node, and when the others hear of it.
#include "pipeline/cluster/snapshot_turn.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace thresher::pipeline {
namespace {

class SnapshotTurnTest : public testing::Test {
 protected:
  static NodeEntry Entry(uint64_t id, uint64_t position, NodeState state = NodeState::kFollowing) {
    return {.id = id, .name = "n", .state = state, .position = position, .seen_us = kNow};
  }
  static bool IsDue(const NodeEntry& own, const std::vector<NodeEntry>& nodes, uint64_t last,
                    bool begins_taught = false) {
    return IsDue(own, nodes, last, {.records = 100}, {.records = own.position - last}, begins_taught);
  }
  static bool IsDue(const NodeEntry& own, const std::vector<NodeEntry>& nodes, uint64_t last,
                    const SnapshotBounds& bounds, const OrderedLog::Rest& rest, bool begins_taught = false) {
    const auto newest = last == 0 ? std::nullopt : std::optional(SnapshotNote{.record = last});
    const SnapshotMoment now{own, nodes, newest};
    return MayMakeSnapshot(now) && SnapshotIsDue(now, bounds, rest, begins_taught);
  }
  static constexpr int64_t kNow = 1'700'000'000'000'000;
};

TEST_F(SnapshotTurnTest, TheLeastNodeThatFollowsMakesIt) {
  const NodeEntry own = Entry(5, 150);
  EXPECT_TRUE(IsDue(own, {}, 0));
  EXPECT_FALSE(IsDue(Entry(5, 99), {}, 0));
  EXPECT_TRUE(IsDue(Entry(5, 1), {}, 0, /*begins_taught=*/true));
  EXPECT_TRUE(IsDue(own, {Entry(6, 150), own}, 0));
  EXPECT_FALSE(IsDue(own, {Entry(4, 150)}, 0));
  EXPECT_TRUE(IsDue(own, {Entry(4, 150, NodeState::kDiffers)}, 0));
  NodeEntry away = Entry(4, 150);
  away.seen_us -= 61'000'000;
  EXPECT_TRUE(IsDue(own, {away, Entry(6, 1)}, 0));
  EXPECT_FALSE(IsDue(Entry(5, 150, NodeState::kUnequal), {}, 0));
  EXPECT_FALSE(IsDue(own, {}, 51));
  EXPECT_TRUE(IsDue(own, {}, 50));
  EXPECT_FALSE(IsDue(own, {}, 151));
  EXPECT_FALSE(IsDue(own, {}, 0, {.records = 0}, {.records = 150}));
}

TEST_F(SnapshotTurnTest, TheLogIsBoundedByBytesAndAge) {
  const NodeEntry own = Entry(5, 150);
  EXPECT_TRUE(IsDue(own, {own}, 149, {.bytes = 1000}, {.records = 1, .bytes = 1000}));
  EXPECT_FALSE(IsDue(own, {own}, 149, {.bytes = 1000}, {.records = 1, .bytes = 999}));
  const SnapshotBounds bounds{.age_us = 1'000'000};
  EXPECT_TRUE(IsDue(own, {own}, 149, bounds, {.records = 1, .oldest_us = kNow - 1'000'000}));
  EXPECT_FALSE(IsDue(own, {own}, 149, bounds, {.records = 1, .oldest_us = kNow - 999'999}));
  EXPECT_FALSE(IsDue(own, {own}, 149, bounds, {}));
  EXPECT_FALSE(IsDue(own, {own}, 150, bounds, {.records = 1, .oldest_us = 1}));  // it has nothing new
}

TEST_F(SnapshotTurnTest, WhoNeedsOneGetsOne) {
  const NodeEntry own = Entry(5, 150);
  NodeEntry other = Entry(4, 10, NodeState::kNotFollowed);
  other.wants = 140;
  EXPECT_TRUE(IsDue(own, {other}, 139));
  EXPECT_FALSE(IsDue(own, {other}, 140));
  other.wants = 151;  // this node does not have it
  EXPECT_FALSE(IsDue(own, {other}, 139));
}

TEST_F(SnapshotTurnTest, NobodyHearsOfOneBeforeItIsCompared) {
  const NodeEntry own = Entry(5, 150);
  const auto compared = [](NodeState state, uint64_t record) { return Comparison{state, "", record}; };
  EXPECT_TRUE(IsConfirmed(150, compared(NodeState::kFollowing, 150), own, {Entry(6, 150)}));
  EXPECT_FALSE(IsConfirmed(150, compared(NodeState::kFollowing, 149), own, {Entry(6, 150)}));
  EXPECT_FALSE(IsConfirmed(150, compared(NodeState::kUnequal, 150), own, {Entry(6, 150)}));
  EXPECT_TRUE(IsConfirmed(150, compared(NodeState::kFollowing, 0), own, {own}));
  EXPECT_TRUE(
      IsConfirmed(150, compared(NodeState::kFollowing, 0), own, {Entry(6, 1, NodeState::kNotFollowed)}));
}

}  // namespace
}  // namespace thresher::pipeline

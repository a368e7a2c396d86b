// Nodes compare digests of their models: which one differs is said by it, and by no other.
#include "pipeline/cluster/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/pipeline/cluster/node.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NodesTest : public testing::Test {
 protected:
  void MakeNodes(size_t count) {
    for (size_t i = 0; i < count; ++i)
      nodes_.push_back(std::make_unique<Node>(directory_.path() / ("node" + std::to_string(i)), stream_, 4));
  }
  // So many messages come into the log.
  void Teach(int count) {
    for (int i = 0; i < count; ++i, ++taught_) {
      nodes_[0]->Teach(MessageNumber(taught_), taught_ % 3 == 0 ? Label::kSpam : Label::kHam);
      nodes_[0]->PublishOne();
    }
  }
  // A message that is taught to the model of one node, and is in no log.
  static void Damage(Node& node) {
    tokenizer::Features features;
    node.model->identity().MakeTokenizer().Tokenize(SpamMessage(777), tokenizer::Kind::kMail, &features);
    ASSERT_TRUE(node.model->Learn(features, {"", "damage"}, {Label::kHam, Evidence::kStream}).has_value());
  }
  // All apply all, and meet; each of them twice, as it sees the others' digests then.
  std::vector<NodeState> ApplyAndMeet() {
    for (const auto& node : nodes_) node->Apply(1000);
    for (const auto& node : nodes_) node->Meet();
    std::vector<NodeState> states;
    for (const auto& node : nodes_) states.push_back(node->Meet());
    return states;
  }

  using States = std::vector<NodeState>;
  static constexpr NodeState kOk = NodeState::kFollowing;

  TestDirectory directory_;
  std::shared_ptr<MemoryStream> stream_ = std::make_shared<MemoryStream>();
  std::vector<std::unique_ptr<Node>> nodes_;
  int taught_ = 0;
};

TEST_F(NodesTest, EqualModelsAreEqual) {
  MakeNodes(3);
  Teach(9);
  stream_->Append("", "foreign");
  Teach(2);
  EXPECT_EQ(ApplyAndMeet(), States(3, kOk));
  for (const auto& node : nodes_) {
    ASSERT_EQ(node->follower->digests().size(), 3U);
    EXPECT_EQ(node->follower->digests(), nodes_[0]->follower->digests());
    EXPECT_EQ(node->follower->digests().back().record, 12U);
    EXPECT_EQ(node->follower->digests().back().digest, node->Digest());
    EXPECT_EQ(node->why(), "");
  }
}

TEST_F(NodesTest, OneOfThreeThatDiffersIsNamedAlone) {
  MakeNodes(3);
  Teach(4);
  EXPECT_EQ(ApplyAndMeet(), States(3, kOk));
  Damage(*nodes_[1]);
  Teach(3);
  EXPECT_EQ(ApplyAndMeet(), States(3, kOk));  // no digest was made since
  Teach(1);
  EXPECT_EQ(ApplyAndMeet(), (States{kOk, NodeState::kDiffers, kOk}));
  EXPECT_THAT(nodes_[1]->why(), AllOf(HasSubstr("after record 8 "), HasSubstr(nodes_[1]->Digest()),
                                      HasSubstr("that of 2 of 3 nodes (" + nodes_[0]->Digest())));
}

TEST_F(NodesTest, WithTwoNobodyIsRight) {
  MakeNodes(2);
  Damage(*nodes_[1]);
  Teach(4);
  EXPECT_EQ(ApplyAndMeet(), States(2, NodeState::kUnequal));
  EXPECT_THAT(nodes_[0]->why(), AllOf(HasSubstr("node node1"), HasSubstr(nodes_[1]->Digest())));
  EXPECT_THAT(nodes_[1]->why(), AllOf(HasSubstr("node node0"), HasSubstr(nodes_[0]->Digest())));
}

// Most of all nodes that are there, not of those that have got so far.
TEST_F(NodesTest, WhoIsBehindIsCountedAmongTheNodes) {
  MakeNodes(3);
  Damage(*nodes_[2]);
  nodes_[0]->Meet();
  Teach(4);
  for (const size_t i : {1U, 2U}) nodes_[i]->Apply(1000);
  nodes_[1]->Meet();
  EXPECT_EQ(nodes_[2]->Meet(), NodeState::kUnequal);
  EXPECT_EQ(nodes_[1]->Meet(), NodeState::kUnequal);
  EXPECT_EQ(ApplyAndMeet(), (States{kOk, kOk, NodeState::kDiffers}));
}

TEST_F(NodesTest, DigestsAfterDifferentRecordsAreNotCompared) {
  MakeNodes(3);
  Teach(40);
  nodes_[0]->Apply(4);
  nodes_[1]->Apply(9);
  nodes_[2]->Apply(1000);  // its digest after record 4 has left
  for (const auto& node : nodes_) node->Meet();
  EXPECT_EQ(nodes_[2]->follower->digests().size(), Follower::kMostDigests);
  for (const auto& node : nodes_) EXPECT_EQ(node->Meet(), kOk);
  EXPECT_EQ(ApplyAndMeet(), States(3, kOk));
}

TEST_F(NodesTest, WhoDiffersSaysSoUntilItHasAnotherModel) {
  MakeNodes(3);
  Damage(*nodes_[1]);
  Teach(4);
  EXPECT_EQ(ApplyAndMeet()[1], NodeState::kDiffers);
  Teach(40);  // the others go on, and nobody else has its digest any more
  for (const size_t i : {0U, 2U}) {
    nodes_[i]->Apply(1000);
    EXPECT_EQ(nodes_[i]->Meet(), kOk);
  }
  EXPECT_EQ(nodes_[1]->Meet(), NodeState::kDiffers);
  nodes_[1]->Restart();
  EXPECT_EQ(nodes_[1]->Meet(), NodeState::kDiffers);
  // By hand: another node's model in its place.
  nodes_[1]->model.reset();
  std::filesystem::remove_all(nodes_[1]->directory());
  ASSERT_TRUE(nodes_[0]->model->Checkpoint().has_value());
  nodes_[0]->model.reset();
  std::filesystem::copy(nodes_[0]->directory(), nodes_[1]->directory(),
                        std::filesystem::copy_options::recursive);
  for (const size_t i : {0U, 1U}) nodes_[i]->Restart();
  EXPECT_EQ(nodes_[1]->Meet(), kOk);
  Teach(4);
  EXPECT_EQ(ApplyAndMeet(), States(3, kOk));
}

// A node that is away, by the servers' clock, is none of those that most are counted of.
TEST_F(NodesTest, WhoIsAwayIsNotCounted) {
  const auto node = [](uint64_t id, const std::string& digest, int64_t seen_us) {
    return NodeEntry{.id = id, .name = "n", .digests = {{4, digest}}, .seen_us = seen_us};
  };
  constexpr int64_t kNow = 1'700'000'000'000'000;
  const auto own = node(1, "a", 0);
  const auto state = [&](const std::vector<NodeEntry>& nodes) { return CompareWithNodes(own, nodes).state; };
  EXPECT_EQ(state({}), kOk);
  EXPECT_EQ(state({node(2, "b", kNow)}), NodeState::kUnequal);
  EXPECT_EQ(state({node(2, "b", kNow), node(3, "b", kNow)}), NodeState::kDiffers);
  EXPECT_EQ(state({node(2, "b", kNow), node(3, "b", kNow - 61'000'000)}), NodeState::kUnequal);
  EXPECT_EQ(state({node(2, "b", kNow - 61'000'000), node(3, "a", kNow)}), kOk);
  EXPECT_EQ(state({node(2, "b", kNow), node(3, "a", kNow)}), kOk);
  EXPECT_EQ(state({node(2, "b", kNow), node(3, "c", kNow), node(4, "b", kNow)}), NodeState::kUnequal);
  EXPECT_EQ(state({node(1, "z", kNow)}), kOk);  // its own entry of before
}

TEST_F(NodesTest, EntriesAreReadAsTheyWereWritten) {
  const NodeEntry entry{.id = ~uint64_t{0},
                        .name = "mail \"1\"\n",
                        .version = "2",
                        .state = NodeState::kDiffers,
                        .position = 7,
                        .last = 9,
                        .outbox = 2,
                        .digests = {{4, "3 examples, 0123"}, {8, ""}}};
  const auto read = ReadNodeEntry(TextOf(entry));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(TextOf(*read), TextOf(entry));
  EXPECT_EQ(read->digests, entry.digests);
  for (const char* const text : {"", "x", "{}", "[]", R"({"form":"thresher-node","format":2})",
                                 R"({"form":"thresher-node","format":1,"id":-1,"name":"","version":"",
                                     "state":"follows","position":1,"last":1,"outbox":0,"digests":[]})",
                                 R"({"form":"thresher-node","format":1,"id":1,"name":"","version":"",
                                     "state":"follows","position":1,"last":1,"outbox":0,"digests":[4]})"}) {
    EXPECT_FALSE(ReadNodeEntry(text).has_value()) << text;
  }
  stream_->PutEntry("x", "of another program");
  MemoryLog log(stream_);
  EXPECT_TRUE(ReadNodes(log)->empty());
}

}  // namespace
}  // namespace thresher::pipeline

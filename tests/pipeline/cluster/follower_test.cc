// Nodes that follow one log have one model, whatever fails when.
#include "pipeline/cluster/follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "storage/example_log.h"
#include "tests/pipeline/cluster/node.h"
#include "tests/rounds.h"
#include "tests/test_directory.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FollowerTest : public testing::Test {
 protected:
  std::unique_ptr<Node> MakeNode(const std::string& name) {
    return std::make_unique<Node>(directory_.path() / name, stream_);
  }
  TestDirectory directory_;
  std::shared_ptr<MemoryStream> stream_ = std::make_shared<MemoryStream>();
};

// The same record of another version, with a right checksum.
std::string WithVersion(std::string record, char version) {
  constexpr size_t kChecksumAt = 8;
  constexpr size_t kVersionAt = 16;
  record[kVersionAt] = version;
  const uint64_t checksum = XXH3_64bits(record.data() + kVersionAt, record.size() - kVersionAt);
  std::memcpy(record.data() + kChecksumAt, &checksum, sizeof checksum);
  return record;
}

TEST_F(FollowerTest, SpamHamSpamAreThreeOperations) {
  const auto one = MakeNode("one");
  const auto two = MakeNode("two");
  for (const Label label : {Label::kSpam, Label::kHam, Label::kSpam, Label::kSpam})
    one->Teach(SpamMessage(1), label);
  for (int i = 0; i < 4; ++i) one->PublishOne();
  EXPECT_THAT(two->Apply(9), ElementsAre(Fate::kApplied, Fate::kApplied, Fate::kApplied, Fate::kApplied));
  EXPECT_EQ(two->model->Inspect().log().last_seq, 3U);  // the fourth was known
  EXPECT_EQ(two->follower->position(), 4U);
  EXPECT_THAT(one->Apply(9), Each(Fate::kApplied));
  EXPECT_EQ(one->Digest(), two->Digest());
}

// An answer is lost, and the servers have forgotten the name when it is published again.
TEST_F(FollowerTest, AnOperationThatIsInTheLogTwiceIsAppliedOnce) {
  stream_->knows_names = false;
  const auto node = MakeNode("node");
  node->Teach(SpamMessage(1), Label::kSpam);
  node->Teach(SpamMessage(1), Label::kHam);
  node->log.loses_answers = true;
  node->PublishOne();
  node->log.loses_answers = false;
  for (int i = 0; i < 2; ++i) node->PublishOne();
  node->Restart();
  EXPECT_THAT(node->Apply(2), ElementsAre(Fate::kApplied, Fate::kDuplicate));
  node->Restart();
  // It is as new to a node that begins now.
  EXPECT_THAT(node->Apply(2), ElementsAre(Fate::kApplied));
  EXPECT_EQ(node->model->Inspect().log().last_seq, 2U);
  const auto later = MakeNode("later");
  EXPECT_THAT(later->Apply(9), ElementsAre(Fate::kApplied, Fate::kDuplicate, Fate::kApplied));
  EXPECT_EQ(node->Digest(), later->Digest());
}

TEST_F(FollowerTest, WhatIsNoOperationOfThisLogIsSkipped) {
  const auto node = MakeNode("node");
  node->Teach(SpamMessage(1), Label::kSpam);
  const std::string record = *node->outbox->Front();
  stream_->Append("", "hello");
  stream_->Append("", record.substr(0, record.size() - 1));
  Operation other = *DecodeOperation(record);
  ++other.identity;
  stream_->Append("", EncodeOperation(other));
  Operation damaged = *DecodeOperation(record);
  damaged.features = "no features";
  stream_->Append("", EncodeOperation(damaged));
  node->PublishOne();
  EXPECT_THAT(node->Apply(9),
              ElementsAre(Fate::kForeign, Fate::kForeign, Fate::kForeign, Fate::kForeign, Fate::kApplied));
  EXPECT_EQ(node->model->Inspect().log().last_seq, 1U);
}

TEST_F(FollowerTest, AllForgetWhatOneIsToldTo) {
  const auto one = MakeNode("one");
  const auto two = MakeNode("two");
  for (int i = 0; i < 12; ++i) one->Teach(MessageNumber(i), i % 3 == 0 ? Label::kSpam : Label::kHam);
  two->Forget(MessageNumber(3));
  for (int i = 0; i < 12; ++i) one->PublishOne();
  two->PublishOne();
  one->Teach(MessageNumber(3), Label::kSpam);
  one->PublishOne();
  const tokenizer::MessageKey key = one->OperationOf(MessageNumber(3), Label::kSpam).keys.own;
  for (Node* const node : {one.get(), two.get()}) {
    node->Apply(12);
    EXPECT_EQ(node->model->Messages().LabelOf(key).value(), Label::kSpam);
    node->Apply(1);
    EXPECT_EQ(node->model->Messages().LabelOf(key).value(), std::nullopt);
  }
  EXPECT_EQ(one->Digest(), two->Digest());
  two->Restart();  // the record of it was not noted by an example
  EXPECT_EQ(two->follower->position(), 13U);
  for (Node* const node : {one.get(), two.get()}) EXPECT_THAT(node->Apply(9), ElementsAre(Fate::kApplied));
  EXPECT_EQ(one->model->Inspect().log().last_seq, 13U);  // it was new again
  EXPECT_EQ(one->Digest(), two->Digest());
}

// The model has forgotten, and is killed before the record is noted.
TEST_F(FollowerTest, ForgettingTwiceIsForgettingOnce) {
  const auto one = MakeNode("one");
  const auto two = MakeNode("two");
  for (int i = 0; i < 12; ++i) one->Teach(MessageNumber(i), i % 3 == 0 ? Label::kSpam : Label::kHam);
  one->Forget(MessageNumber(4));
  for (int i = 0; i < 13; ++i) one->PublishOne();
  one->Apply(13);
  two->Apply(12);
  const auto batch = two->log.Read(12, 1, {});
  EXPECT_EQ(two->follower->Apply(*two->model, batch->records.at(0))->forgotten.examples, 1U);
  two->Restart();
  EXPECT_EQ(two->follower->position(), 12U);
  EXPECT_THAT(two->Apply(9), ElementsAre(Fate::kApplied));
  EXPECT_EQ(one->Digest(), two->Digest());
}

TEST_F(FollowerTest, AllMessagesOfAUserAreForgotten) {
  const auto node = MakeNode("node");
  for (const char* const user : {"alice", "bob"}) {
    Operation operation = node->OperationOf(SpamMessage(1), Label::kSpam);
    operation.keys.own.message_id = tokenizer::MessageIdOf(user, operation.keys.own.message_id);
    ASSERT_TRUE(node->outbox->Append(&operation).has_value());
    node->PublishOne();
  }
  Operation forget;
  forget.act = Act::kForgetAllOf;
  forget.identity = node->identity.Digest();
  forget.keys.own.message_id = "alice";
  ASSERT_TRUE(node->outbox->Append(&forget).has_value());
  node->PublishOne();
  node->Apply(2);
  const auto batch = node->log.Read(2, 1, {});
  const auto outcome = node->follower->Apply(*node->model, batch->records.at(0));
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->forgotten.examples, 1U);
}

TEST_F(FollowerTest, StopsBeforeARecordOfANewerProgram) {
  const auto node = MakeNode("node");
  node->Teach(SpamMessage(1), Label::kSpam);
  stream_->Append("", WithVersion(*node->outbox->Front(), 4));
  node->PublishOne();
  EXPECT_THAT(node->Apply(9), ElementsAre(Fate::kNewer, Fate::kGap));
  EXPECT_EQ(node->follower->position(), 0U);
}

// The numbers of a model's records are not consecutive where several models have one stream.
TEST_F(FollowerTest, ADigestIsMadeAfterTheFirstRecordBeyondAMultiple) {
  const auto numbers = std::make_shared<std::atomic<uint64_t>>(0);
  stream_ = std::make_shared<MemoryStream>(numbers);
  Node node(directory_.path() / "node", stream_, /*digest_every=*/10);
  for (int i = 0; i < 6; ++i) {
    node.Teach(MessageNumber(i), i % 3 == 0 ? Label::kSpam : Label::kHam);
    *numbers += 3;  // 4, 8, 12, 16, 20, 24
    node.PublishOne();
  }
  node.Apply(9);
  std::vector<uint64_t> records;
  for (const ModelDigest& each : node.follower->digests()) records.push_back(each.record);
  EXPECT_THAT(records, ElementsAre(12, 20));
}

TEST_F(FollowerTest, StopsBeforeAGap) {
  const auto node = MakeNode("node");
  for (int i = 0; i < 3; ++i) node->Teach(SpamMessage(i), Label::kSpam);
  for (int i = 0; i < 3; ++i) node->PublishOne();
  EXPECT_THAT(node->Apply(1), ElementsAre(Fate::kApplied));
  stream_->first = 3;
  EXPECT_THAT(node->Apply(9), ElementsAre(Fate::kGap));
  EXPECT_EQ(node->follower->position(), 1U);
  const auto batch = node->log.Read(1, 9, {});
  EXPECT_THAT(CheckFollowsOn(*batch, 1, "mail").error().message, HasSubstr("no record 2 any more"));
  EXPECT_THAT(CheckFollowsOn(*batch, 7, "mail").error().message,
              HasSubstr("ends with record 3, though this node has applied record 7"));
  EXPECT_TRUE(CheckFollowsOn(*batch, 2, "mail").has_value());
}

// A clock that is ahead.
TEST_F(FollowerTest, NothingIsTaughtLaterThanTheLogTookIt) {
  const auto node = MakeNode("node");
  Operation operation = node->OperationOf(SpamMessage(1), Label::kSpam);
  operation.time_us = std::numeric_limits<int64_t>::max();
  ASSERT_TRUE(node->outbox->Append(&operation).has_value());
  node->PublishOne();
  node->Apply(1);
  const auto stored = OpenStored(node->directory(), node->settings);
  ASSERT_TRUE(stored.has_value());
  EXPECT_EQ(storage::ExampleLog(*stored->database).Get(1)->value().time_us, stream_->clock_us);
}

// Teaches, publishes, loses answers, cuts off, applies and kills in any order.
void DoSomething(std::mt19937_64& random, std::vector<std::unique_ptr<Node>>& nodes, MemoryStream& stream) {
  Node& node = *nodes[random() % nodes.size()];
  switch (random() % 17) {
    case 0:
      node.log.is_cut_off = !node.log.is_cut_off;
      break;
    case 1:
      node.log.loses_answers = !node.log.loses_answers;
      break;
    case 2:
      node.log.is_cut_off = false;  // a new one asks for what was agreed upon
      node.Restart();
      break;
    case 3:
      stream.Append("", std::string(random() % 40, 'x'));
      break;
    case 4:
      ASSERT_TRUE(node.model->Checkpoint().has_value());
      break;
    case 5:
    case 6:
    case 7:
    case 8: {
      const int number = static_cast<int>(random() % 60);
      const Label label = random() % 8 == 0 ? Label::kHam : number % 3 == 0 ? Label::kSpam : Label::kHam;
      node.Teach(MessageNumber(number), label, random() % 2 == 0);
      break;
    }
    case 9:
    case 10:
    case 11:
      node.PublishOne();
      break;
    case 16:
      node.Forget(MessageNumber(static_cast<int>(random() % 60)));
      break;
    default:
      node.Apply(1 + random() % 20);
  }
}

TEST_F(FollowerTest, AllModelsAreEqualWhateverFails) {
  for (int round = 0; round < Rounds(2); ++round) {
    std::mt19937_64 random(static_cast<uint64_t>(round) + 1);
    stream_ = std::make_shared<MemoryStream>();
    stream_->knows_names = round % 2 == 0;
    std::vector<std::unique_ptr<Node>> nodes;
    nodes.reserve(5);
    for (int i = 0; i < 4; ++i) nodes.push_back(MakeNode(std::to_string(round) + "-" + std::to_string(i)));
    for (int step = 0; step < 400; ++step) DoSomething(random, nodes, *stream_);
    for (const auto& node : nodes) {
      node->log.is_cut_off = false;
      node->log.loses_answers = false;
      while (!node->outbox->empty()) node->PublishOne();
    }
    nodes.push_back(MakeNode(std::to_string(round) + "-new"));  // applies all of it at once
    for (const auto& node : nodes) node->Apply(100000);
    EXPECT_GT(nodes.back()->model->Inspect().log().last_seq, 30U);
    for (const auto& node : nodes) EXPECT_EQ(node->Digest(), nodes.back()->Digest()) << "round " << round;
  }
}

}  // namespace
}  // namespace thresher::pipeline

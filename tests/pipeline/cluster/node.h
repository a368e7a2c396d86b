// A node that follows a log, without threads: each step is taken when a test says so.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/cluster/follower.h"
#include "pipeline/cluster/membership.h"
#include "pipeline/cluster/nodes.h"
#include "pipeline/cluster/operation.h"
#include "pipeline/cluster/outbox.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/cluster/memory_log.h"
#include "tests/pipeline/messages.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {

class Node {
 public:
  // `digest_every`: of Follower. A digest takes longer than all else that is done with a record.
  Node(std::filesystem::path dir, std::shared_ptr<MemoryStream> stream, uint64_t digest_every = 100)
      : dir_(std::move(dir)), digest_every_(digest_every), log(std::move(stream)) {
    settings.log_keep_days = 0;
    settings.durability = "os";
    settings.rehearsal.bytes = 40000;  // of a few messages
    Start();
  }

  // As after a kill: only what is on disk is left.
  void Restart() {
    model.reset();
    outbox.reset();
    Start();
  }

  // A message that a user teaches here.
  void Teach(const std::string& message, Label label, bool is_reply = false) {
    Operation operation = OperationOf(message, label);
    operation.is_reply = is_reply;
    ASSERT_TRUE(outbox->Append(&operation).has_value());
    ASSERT_TRUE(outbox->Sync().has_value());
  }
  // A message that a user wants forgotten.
  void Forget(const std::string& message) {
    Operation operation = OperationOf(message, Label::kHam);
    operation.act = Act::kForget;
    operation.features.clear();
    ASSERT_TRUE(outbox->Append(&operation).has_value());
    ASSERT_TRUE(outbox->Sync().has_value());
  }
  Operation OperationOf(const std::string& message, Label label) const {
    tokenizer::Features features;
    model->identity().MakeTokenizer().Tokenize(message, tokenizer::Kind::kMail, &features);
    Operation operation{.identity = identity.Digest(),
                        .time_us = 1'600'000'000'000'000,
                        .label = label,
                        .circumstances = {},
                        .keys = model->identity().MakeKeyMaker().KeysOf(message),
                        .features = {}};
    tokenizer::EncodeFeatures(features, model->identity().MakeIdSpace(), &operation.features);
    return operation;
  }

  // The oldest message of the outbox, if there is one and the log can be reached.
  void PublishOne() {
    if (outbox->empty()) return;
    const auto record = outbox->Front();
    ASSERT_TRUE(record.has_value());
    if (!log.Publish(NameOf(*DecodeOperation(*record)), *record)) return;
    ASSERT_TRUE(outbox->PopFront().has_value());
  }

  // Applies so many records at most; returns what became of them.
  std::vector<Fate> Apply(size_t most) {
    std::vector<Fate> fates;
    const auto batch = log.Read(follower->position(), most, {});
    if (!batch) return fates;
    for (const LogRecord& record : batch->records) {
      const auto outcome = follower->Apply(*model, record);
      EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
      fates.push_back(outcome->fate);
    }
    EXPECT_TRUE(follower->Finish(*model).has_value());
    return fates;
  }

  // Compares the model with those of the others and says what this node is.
  NodeState Meet() {
    NodeEntry own{.id = outbox->author(),
                  .name = dir_.filename(),
                  .version = "1",
                  .position = follower->position(),
                  .digests = follower->digests()};
    const Comparison compared = CompareWithNodes(own, ReadNodes(log).value());
    why_ = compared.why;
    own.state = compared.state;
    EXPECT_TRUE(log.PutEntry(std::to_string(own.id), TextOf(own)).has_value());
    return own.state;
  }
  // Why the last meeting ended as it did.
  const std::string& why() const { return why_; }

  std::string Digest() { return model->Digest().value(); }
  std::filesystem::path directory() const { return dir_ / "default"; }

 private:
  std::filesystem::path dir_;
  uint64_t digest_every_;
  std::string why_;

 public:
  Settings settings;
  MemoryLog log;
  SnapshotTaker snapshots{[] { return true; }};
  SharedIdentity identity;
  std::unique_ptr<Model> model;
  std::unique_ptr<Outbox> outbox;
  std::unique_ptr<Follower> follower;

 private:
  void Start() {
    std::filesystem::create_directories(dir_);
    auto member = OpenMember(directory(), settings, "mail", log, snapshots);
    ASSERT_TRUE(member.has_value()) << member.error().message;
    model = std::move(member->model);
    identity = member->identity;
    follower = std::make_unique<Follower>(identity.Digest(), digest_every_);
    ASSERT_TRUE(follower->Resume(*model).has_value());
    auto opened = Outbox::Open(dir_ / "outbox", uint64_t{1} << 30);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    outbox = *std::move(opened);
  }
};

}  // namespace thresher::pipeline

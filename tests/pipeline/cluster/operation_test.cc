// Records of a shared log.
#include "pipeline/cluster/operation.h"

#include <gtest/gtest.h>

#include <string>

namespace thresher::pipeline {
namespace {

Operation WholeOperation() {
  return {.identity = 0x1122334455667788,
          .author = 7,
          .number = 9,
          .time_us = -5,
          .label = Label::kSpam,
          .circumstances = {.streamed = true, .turns = 3},
          .is_reply = true,
          .keys = {.own = {"alice a@b", "0123"},
                   .delivered = tokenizer::MessageKey{std::string("a\0b", 3), ""},
                   .unkeyed = tokenizer::MessageKey{"", "89ab"}},
          .features = "features"};
}

TEST(OperationTest, IsReadAsItWasWritten) {
  const Operation operation = WholeOperation();
  const auto read = DecodeOperation(EncodeOperation(operation));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(EncodeOperation(*read), EncodeOperation(operation));
  EXPECT_EQ(read->identity, operation.identity);
  EXPECT_EQ(read->author, 7U);
  EXPECT_EQ(read->number, 9U);
  EXPECT_EQ(read->time_us, -5);
  EXPECT_EQ(read->label, Label::kSpam);
  EXPECT_TRUE(read->circumstances.streamed);
  EXPECT_EQ(read->circumstances.turns, 3);
  EXPECT_TRUE(read->is_reply);
  EXPECT_EQ(read->keys.own, operation.keys.own);
  EXPECT_EQ(read->keys.delivered, operation.keys.delivered);
  EXPECT_EQ(read->keys.unkeyed, operation.keys.unkeyed);
  EXPECT_EQ(read->features, "features");
  EXPECT_EQ(NameOf(*read), "0000000000000007-9");
}

// A program that knows only versions 1 and 2 must stop at it, not learn it as a user's word.
TEST(OperationTest, WhatNoUserTaughtHasItsOwnVersion) {
  Operation operation = WholeOperation();
  EXPECT_FALSE(DecodeOperation(EncodeOperation(operation))->circumstances.self_taught);
  operation.circumstances.self_taught = true;
  const std::string record = EncodeOperation(operation);
  EXPECT_EQ(record[16], 3);
  const auto read = DecodeOperation(record);
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->circumstances.self_taught);
  EXPECT_EQ(read->label, Label::kSpam);
  EXPECT_EQ(read->keys.unkeyed, operation.keys.unkeyed);
  EXPECT_EQ(EncodeOperation(*read), record);
}

TEST(OperationTest, WhatForgetsHasAKeyAndNothingElse) {
  for (const Act act : {Act::kForget, Act::kForgetAllOf}) {
    Operation operation = WholeOperation();
    operation.act = act;
    EXPECT_FALSE(DecodeOperation(EncodeOperation(operation)).has_value());  // it has features
    operation.features.clear();
    const auto read = DecodeOperation(EncodeOperation(operation));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->act, act);
    EXPECT_EQ(read->keys.own, operation.keys.own);
    EXPECT_FALSE(read->keys.delivered.has_value());
    EXPECT_EQ(read->number, 9U);
    operation.keys.own.message_id.clear();  // all of nobody in particular would be all
    EXPECT_EQ(DecodeOperation(EncodeOperation(operation)).has_value(), act == Act::kForget);
  }
}

TEST(OperationTest, OneDamagedByteIsFound) {
  const std::string record = EncodeOperation(WholeOperation());
  for (size_t i = 0; i < record.size(); ++i) {
    std::string damaged = record;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    const auto read = DecodeOperation(damaged);
    ASSERT_FALSE(read.has_value()) << i;
    EXPECT_EQ(read.error(), NoOperation::kForeign) << i;
    EXPECT_FALSE(DecodeOperation(record.substr(0, i)).has_value()) << i;
  }
}

TEST(OperationTest, WhatNoUserCanTeachIsRefused) {
  Operation operation = WholeOperation();
  operation.number = 0;
  EXPECT_FALSE(DecodeOperation(EncodeOperation(operation)).has_value());
  operation = WholeOperation();
  operation.circumstances.turns = 31;
  EXPECT_FALSE(DecodeOperation(EncodeOperation(operation)).has_value());
  operation = WholeOperation();
  operation.keys.own.message_id = std::string(1025, 'x');  // the example log would not take it
  EXPECT_FALSE(DecodeOperation(EncodeOperation(operation)).has_value());
}

}  // namespace
}  // namespace thresher::pipeline

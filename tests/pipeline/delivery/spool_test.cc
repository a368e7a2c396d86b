#include "pipeline/delivery/spool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using tokenizer::Features;
using tokenizer::MessageKey;

class SpoolTest : public testing::Test {
 protected:
  static constexpr uint64_t kSeed = 5;

  Spool Open(const SpoolLimits& limits = {}) const {
    return {directory_.path() / "spool", limits, tokenizer::IdSpace(kSeed)};
  }
  static Features FeaturesOf(int i) {
    Features features;
    tokenizer::Tokenizer(tokenizer::Options{}, kSeed)
        .Tokenize(SpamMessage(i), tokenizer::Kind::kMail, &features);
    return features;
  }
  size_t Files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory_.path() / "spool"), fs::directory_iterator()));
  }

  TestDirectory directory_;
};

TEST_F(SpoolTest, KeepsFeaturesWithTheirTexts) {
  const Spool spool = Open();
  const MessageKey key = tokenizer::KeyOf(SpamMessage(1));
  const Features features = FeaturesOf(1);
  ASSERT_TRUE(spool.Keep(key, features).has_value());
  const auto found = spool.Find(key);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->ids, features.ids);
  EXPECT_EQ(found->values, features.values);
  EXPECT_EQ(found->texts, features.texts);
  EXPECT_EQ(spool.KeysOf(key.message_id, spool.List()), std::vector{key});
  EXPECT_TRUE(spool.KeysOf("someone@else.example", spool.List()).empty());
  spool.Remove(key);
  EXPECT_FALSE(spool.Find(key).has_value());
}

TEST_F(SpoolTest, OldestGoFirst) {
  const Spool spool = Open({.max_messages = 5});
  for (int i = 0; i < 9; ++i) {
    const MessageKey key{"m" + std::to_string(i), "0000000000000000"};
    ASSERT_TRUE(spool.Keep(key, FeaturesOf(i)).has_value());
    for (const auto& file : fs::directory_iterator(directory_.path() / "spool")) {
      // Each message is an hour older than the next.
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
    }
  }
  spool.Prune();
  EXPECT_EQ(Files(), 5u);
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(spool.Find({"m" + std::to_string(i), "0000000000000000"}).has_value(), i >= 4) << i;
  }
}

TEST_F(SpoolTest, BytesAndAgeAreBounded) {
  for (int i = 0; i < 9; ++i)
    ASSERT_TRUE(Open().Keep({"m" + std::to_string(i), "0"}, FeaturesOf(i)).has_value());
  Open({.max_bytes = 0}).Prune();
  EXPECT_EQ(Files(), 0u);
  for (int i = 0; i < 9; ++i)
    ASSERT_TRUE(Open().Keep({"m" + std::to_string(i), "0"}, FeaturesOf(i)).has_value());
  Open({.max_age_days = -1}).Prune();
  EXPECT_EQ(Files(), 0u);
}

TEST_F(SpoolTest, ManyKeepsPruneThemselves) {
  const Spool spool = Open({.max_messages = 10});
  const Features features = FeaturesOf(1);
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(spool.Keep({"m", std::to_string(i)}, features).has_value());
  EXPECT_LT(Files(), 1000u);
}

TEST_F(SpoolTest, DamageIsNotFound) {
  const Spool spool = Open();
  const MessageKey key = tokenizer::KeyOf(SpamMessage(1));
  ASSERT_TRUE(spool.Keep(key, FeaturesOf(1)).has_value());
  const fs::path file = fs::directory_iterator(directory_.path() / "spool")->path();
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_FALSE(spool.Find(key).has_value());
  std::ofstream(file) << "something else";
  EXPECT_FALSE(spool.Find(key).has_value());
  EXPECT_TRUE(spool.KeysOf(key.message_id, spool.List()).empty());
}

TEST_F(SpoolTest, OnlyItsOwnerMayLookIntoIt) {
  ASSERT_TRUE(Open().Keep({"m", "0"}, FeaturesOf(1)).has_value());
  EXPECT_EQ(fs::status(directory_.path() / "spool").permissions(), fs::perms::owner_all);
}

TEST_F(SpoolTest, FailsCleanlyWhereItCannotWrite) {
  directory_.Write("spool", "a file where the folder should be");
  EXPECT_FALSE(Open().Keep({"m", "0"}, FeaturesOf(1)).has_value());
}

}  // namespace
}  // namespace thresher::pipeline

// Changes bytes of the only log of a store: what was on disk is not forgotten in silence, and what never was
// is a torn end.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <random>

#include "tests/rounds.h"
#include "tests/storage/damaged_files.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

// Makes a store with a checkpoint in its files; its log holds only examples, one in each batch.
constexpr uint64_t kBefore = 10;
constexpr uint64_t kInAll = 50;
void MakeLog(const fs::path& dir, Durability durability) {
  const auto model = ToyModel::OpenOrCreate(dir, durability);
  ASSERT_TRUE(Succeeded(model));
  while ((*model)->log().last_seq() < kBefore) ASSERT_TRUE(Succeeded((*model)->Learn()));
  ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
  ASSERT_TRUE(Succeeded((*model)->database().Compact()));
  while ((*model)->log().last_seq() < kInAll) ASSERT_TRUE(Succeeded((*model)->Learn()));
}

fs::path LogOf(const fs::path& dir) {
  for (const fs::path& name : Files(dir)) {
    if (name.extension() == ".log") return dir / "db" / name;
  }
  return {};
}

TEST(DamagedLogTest, ExamplesThatWereOnDiskAreNotForgottenInSilence) {
  const TestDirectory whole;
  MakeLog(whole.model(), Durability::kSync);
  const uint64_t bytes = fs::file_size(LogOf(whole.model()));
  std::mt19937_64 random(5);
  for (int trial = 0; trial < Rounds(40); ++trial) {
    const uint64_t at = random() % bytes;
    SCOPED_TRACE(at);
    const TestDirectory copy;
    fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
    FlipAt(LogOf(copy.model()), at);
    const auto refused = ToyModel::OpenOrCreate(copy.model(), Durability::kSync);
    ASSERT_TRUE(FailedWith(ErrorKind::kCorrupt, refused));
    EXPECT_EQ(Database::CheckLog(copy.model()).error().message, refused.error().message);
    const auto kept = ReadAll(copy.model());  // readers go on with what comes before
    EXPECT_EQ(kept, kBefore);

    const auto left = Database::GiveUpLostExamples(copy.model(), std::chrono::seconds(1));
    ASSERT_TRUE(Succeeded(left));
    EXPECT_GE(left->last_left, kBefore);
    EXPECT_LT(left->last_left, kInAll);
    EXPECT_TRUE(Succeeded(Database::CheckLog(copy.model())));
    const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    ToyTwin twin;
    twin.LearnUpTo(left->last_left);
    EXPECT_EQ((*model)->Rows(), twin.rows());
    EXPECT_EQ((*model)->Learn(), left->last_left + 1);
  }
}

TEST(DamagedLogTest, WhatWasNeverOnDiskIsATornEnd) {
  const TestDirectory whole;
  MakeLog(whole.model(), Durability::kOs);
  const uint64_t bytes = fs::file_size(LogOf(whole.model()));
  for (uint64_t at = 10; at < bytes; at += bytes / 10) {
    SCOPED_TRACE(at);
    const TestDirectory copy;
    fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
    FlipAt(LogOf(copy.model()), at);
    const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_LT((*model)->log().last_seq(), kInAll);
    ToyTwin twin;
    twin.LearnUpTo((*model)->log().last_seq());
    EXPECT_EQ((*model)->Rows(), twin.rows());
  }
}

// What a crash of the machine leaves: the end of the log never came to the disk.
TEST(DamagedLogTest, ATornEndIsAnEarlierState) {
  const TestDirectory whole;
  MakeLog(whole.model(), Durability::kOs);
  const uint64_t bytes = fs::file_size(LogOf(whole.model()));
  for (uint64_t size = 0; size < bytes; size += bytes / 20) {
    SCOPED_TRACE(size);
    const TestDirectory copy;
    fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
    fs::resize_file(LogOf(copy.model()), size);
    EXPECT_TRUE(Succeeded(Database::CheckLog(copy.model())));
    const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_LT((*model)->applied_seq(), kInAll);
    const auto left = Database::GiveUpLostExamples(copy.model(), std::chrono::seconds(0));
    EXPECT_TRUE(FailedWith(ErrorKind::kBusy, left));
  }
}

void Remove(const fs::path& file) { fs::remove(file); }
void Cut(const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 1); }
void FlipFirst(const fs::path& file) { FlipAt(file, 10); }
void FlipLast(const fs::path& file) { FlipAt(file, fs::file_size(file) - 1); }

// A single log, in which no record comes after the damaged one that could tell of it.
TEST(DamagedLogTest, OfOneExampleIsNotTakenForATornEnd) {
  for (const bool checkpoint : {false, true}) {
    for (const auto damage : {Remove, Cut, FlipFirst, FlipLast}) {
      const TestDirectory scratch;
      {
        const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kGroup);
        ASSERT_TRUE(Succeeded(model));
        ASSERT_TRUE(Succeeded((*model)->Learn()));
        ASSERT_TRUE(Succeeded((*model)->log().Acknowledge()));
        if (checkpoint) {
          ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
        }
      }
      damage(LogOf(scratch.model()));
      EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, Database::CheckLog(scratch.model())));
      const auto refused = ToyModel::OpenOrCreate(scratch.model(), Durability::kGroup);
      EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, refused));
      ASSERT_TRUE(Succeeded(Database::GiveUpLostExamples(scratch.model(), std::chrono::seconds(0))));
      EXPECT_TRUE(Succeeded(Database::CheckLog(scratch.model())));
      const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kGroup);
      ASSERT_TRUE(Succeeded(model));
      EXPECT_LE((*model)->log().last_seq(), 1);
    }
  }
}

// A crash of the machine may leave any mark of an earlier moment, a part of one, or none.
TEST(DamagedLogTest, AnUnreadableMarkIsNoDamage) {
  for (const auto damage : {Remove, Cut, FlipFirst, FlipLast}) {
    const TestDirectory scratch;
    MakeLog(scratch.model(), Durability::kSync);
    damage(scratch.model() / "db" / "SYNCED");
    EXPECT_TRUE(Succeeded(Database::CheckLog(scratch.model())));
    const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_EQ((*model)->log().last_seq(), kInAll);
  }
}

}  // namespace
}  // namespace thresher::storage

// Changes bytes of the only log of a store: what was on disk is not forgotten in silence, and what never was
// is a torn end.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <random>
#include <vector>

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

// Makes such a store. For each of the places(bytes) of its log, test(folder) sees a copy of the store in
// which damage(log, place) was done.
template <class Places, class Damage, class Test>
void ForEachDamagedCopy(Durability durability, const Places& places, const Damage& damage, const Test& test) {
  const TestDirectory whole;
  MakeLog(whole.model(), durability);
  for (const uint64_t at : places(fs::file_size(LogOf(whole.model())))) {
    SCOPED_TRACE(at);
    const TestDirectory copy;
    fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
    damage(LogOf(copy.model()), at);
    test(copy.model());
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::vector<uint64_t> RandomPlaces(uint64_t bytes) {
  std::mt19937_64 random(5);
  std::vector<uint64_t> places;
  for (int trial = 0; trial < Rounds(40); ++trial) places.push_back(random() % bytes);
  return places;
}

// From `first` on, as far apart as `count` of them are in all bytes.
auto EvenPlaces(uint64_t first, uint64_t count) {
  return [first, count](uint64_t bytes) {
    std::vector<uint64_t> places;
    for (uint64_t at = first; at < bytes; at += bytes / count) places.push_back(at);
    return places;
  };
}

TEST(DamagedLogTest, ExamplesThatWereOnDiskAreNotForgottenInSilence) {
  ForEachDamagedCopy(Durability::kSync, RandomPlaces, FlipAt, [](const fs::path& dir) {
    const auto refused = ToyModel::OpenOrCreate(dir, Durability::kSync);
    ASSERT_TRUE(FailedWith(ErrorKind::kCorrupt, refused));
    EXPECT_EQ(Database::CheckLog(dir).error().message, refused.error().message);
    const auto kept = ReadAll(dir);  // readers go on with what comes before
    EXPECT_EQ(kept, kBefore);

    const auto left = Database::GiveUpLostExamples(dir, std::chrono::seconds(1));
    ASSERT_TRUE(Succeeded(left));
    EXPECT_GE(left->last_left, kBefore);
    EXPECT_LT(left->last_left, kInAll);
    EXPECT_TRUE(Succeeded(Database::CheckLog(dir)));
    const auto model = ToyModel::OpenOrCreate(dir, Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    ToyTwin twin;
    twin.LearnUpTo(left->last_left);
    EXPECT_EQ((*model)->Rows(), twin.rows());
    EXPECT_EQ((*model)->Learn(), left->last_left + 1);
  });
}

TEST(DamagedLogTest, WhatWasNeverOnDiskIsATornEnd) {
  ForEachDamagedCopy(Durability::kOs, EvenPlaces(10, 10), FlipAt, [](const fs::path& dir) {
    const auto model = ToyModel::OpenOrCreate(dir, Durability::kOs);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_LT((*model)->log().last_seq(), kInAll);
    ToyTwin twin;
    twin.LearnUpTo((*model)->log().last_seq());
    EXPECT_EQ((*model)->Rows(), twin.rows());
  });
}

// What a crash of the machine leaves: the end of the log never came to the disk.
TEST(DamagedLogTest, ATornEndIsAnEarlierState) {
  const auto cut_at = [](const fs::path& log, uint64_t size) { fs::resize_file(log, size); };
  ForEachDamagedCopy(Durability::kOs, EvenPlaces(0, 20), cut_at, [](const fs::path& dir) {
    EXPECT_TRUE(Succeeded(Database::CheckLog(dir)));
    const auto model = ToyModel::OpenOrCreate(dir, Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_LT((*model)->applied_seq(), kInAll);
    const auto left = Database::GiveUpLostExamples(dir, std::chrono::seconds(0));
    EXPECT_TRUE(FailedWith(ErrorKind::kBusy, left));
  });
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

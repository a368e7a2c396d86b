#include "storage/weight_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "storage/database_impl.h"
#include "storage/score_image.h"
#include "tests/storage/faulty_disk.h"
#include "tests/storage/filled_table.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

TEST(WeightTableTest, KeepsToItsBudgetAndToWhatWasLearnedLately) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  WeightTable table(*database, kRowBytes);
  Fill(table, SpreadNumbers(0, 100000), std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, AllLive, AllLive)));
  const size_t whole = table.memory_bytes();
  EXPECT_EQ(table.resident_rows(), 100000U);

  table.SetBudget(whole / 2);
  Fill(table, SpreadNumbers(0, 10), std::byte{2});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 2, AllLive, AllLive)));
  EXPECT_EQ(table.resident_rows(), 0U);  // all of them were new, so all count as recent

  Fill(table, SpreadNumbers(0, 60000), std::byte{3});
  FoundRows found;
  ASSERT_TRUE(Succeeded(table.Find(SpreadNumbers(0, 100000), &found)));
  EXPECT_EQ(*found.rows()[59999], std::byte{3});
  EXPECT_EQ(*found.rows()[60000], std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 3, AllLive, AllLive)));
  EXPECT_EQ(table.resident_rows(), 0U);  // 60,000 rows take more than half of the budget

  Fill(table, SpreadNumbers(5000, 5010), std::byte{4});
  ASSERT_TRUE(Succeeded(table.Find(SpreadNumbers(0, 100000), &found)));
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 4, AllLive, AllLive)));
  EXPECT_EQ(table.resident_rows(), 10U);
  EXPECT_LE(table.memory_bytes(), whole / 2);
  ASSERT_TRUE(Succeeded(table.Find(SpreadNumbers(4999, 5011), &found)));
  EXPECT_EQ(*found.rows()[0], std::byte{3});
  EXPECT_EQ(*found.rows()[1], std::byte{4});
}

TEST(WeightTableTest, SweepsWhatDiedOnDiskAndLeavesTheRestThere) {
  const TestDirectory scratch;
  const auto later = [](const std::byte* row) { return *row != std::byte{1}; };
  {
    const auto database = OpenForWriting(scratch);
    WeightTable table(*database, kRowBytes);
    Fill(table, SpreadNumbers(0, 60000), std::byte{1});
    Fill(table, SpreadNumbers(60000, 100000), std::byte{2});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, AllLive, AllLive)));
  }
  const auto database = OpenForWriting(scratch);
  WeightTable table(*database, kRowBytes);
  table.SetBudget(size_t{2} << 20);
  Fill(table, SpreadNumbers(0, 10), std::byte{2});  // live again
  FoundRows found;
  ASSERT_TRUE(Succeeded(table.Find(SpreadNumbers(10, 20), &found)));  // in memory and prunable

  uint64_t removed = 0;
  for (uint64_t seq = 2; removed < 60000 - 10; ++seq) {
    Fill(table, SpreadNumbers(60000, 100000), std::byte{2});
    EXPECT_GT(table.memory_bytes(), size_t{2} << 20);  // as when a checkpoint is due because memory is short
    const auto swept = table.Sweep(later);
    ASSERT_TRUE(Succeeded(swept));
    EXPECT_EQ(*swept, 100000 - removed);
    EXPECT_LE(table.memory_bytes(), size_t{8} << 20);  // at most one growth beyond the budget
    const auto done = table.Checkpoint({}, seq, later, AllLive);
    ASSERT_TRUE(Succeeded(done));
    ASSERT_GT(done->removed, 0U);
    removed += done->removed;
  }
  EXPECT_EQ(removed, 60000U - 10U);
  EXPECT_LT(table.resident_rows(), 100U);
  WeightTable whole(*database, kRowBytes);
  ASSERT_TRUE(Succeeded(whole.LoadAll()));
  EXPECT_EQ(whole.resident_rows(), 40010U);
}

TEST(WeightTableTest, WhoLooksUpManyRowsGetsAllIfThereIsRoom) {
  const TestDirectory scratch;
  {
    const auto database = OpenForWriting(scratch);
    WeightTable table(*database, kRowBytes);
    Fill(table, Numbers(1, 1001), std::byte{1});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, IsNotZero, IsNotZero)));
  }
  for (const size_t budget : {size_t{1} << 20, size_t{1} << 10}) {
    const auto database = OpenForWriting(scratch);
    WeightTable table(*database, kRowBytes);
    FoundRows found;
    table.SetBudget(budget);
    for (uint64_t i = 0; i < 100; ++i) {
      std::vector<uint64_t> absent = Numbers(1000000 + 1000 * i, 1001000 + 1000 * i);
      absent[0] = 7;
      ASSERT_TRUE(Succeeded(table.Find(absent, &found)));
      EXPECT_EQ(*found.rows()[0], std::byte{1});
      EXPECT_EQ(found.rows()[1], nullptr);
      if (i == 0) {
        EXPECT_EQ(table.resident_rows(), 1U);
      }
    }
    EXPECT_EQ(table.resident_rows(), budget == 1 << 20 ? 1000U : 1U);
  }
}

TEST(WeightTableTest, ASweepFindsRowsThatDiedUntouched) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  WeightTable table(*database, kRowBytes);
  Fill(table, {1, 2, 3, 4}, std::byte{1});
  ASSERT_EQ(table.Checkpoint({}, 1, AllLive, AllLive)->written, 4U);
  ASSERT_EQ(table.Checkpoint({}, 2, AllLive, AllLive)->written, 0U);
  const auto swept = table.Checkpoint({}, 3, NoneLive, NoneLive);
  ASSERT_TRUE(Succeeded(swept));
  EXPECT_EQ(swept->removed, 4U);
  EXPECT_EQ(table.resident_rows(), 0U);
  EXPECT_EQ(*table.Texts(std::vector<uint64_t>{1, 2}), (std::vector<std::string>{"", ""}));
}

// A checkpoint that makes table files and has nothing to put into some of them.
TEST(WeightTableTest, ALargeCheckpointWithoutTextsOrRows) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  DatabaseAccess::ImplOf(*database).set_largest_batch(0);
  WeightTable table(*database, kRowBytes);
  Fill(table, {1, 2}, std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, NoneLive, NoneLive)));
  EXPECT_EQ(database->ReadAppliedSeq(), 1U);
  Fill(table, {1, 2}, std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 2, IsNotZero, IsNotZero)));
  Fill(table, {1, 2}, std::byte{2});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 3, IsNotZero, IsNotZero)));
  Fill(table, {2, 3}, std::byte{3});
  EXPECT_EQ(table.Checkpoint({}, 4, NoneLive, NoneLive)->removed, 3U);
  WeightTable stored(*database, kRowBytes);
  ASSERT_TRUE(Succeeded(stored.LoadAll()));
  EXPECT_EQ(stored.resident_rows(), 0U);
  EXPECT_EQ(database->ReadAppliedSeq(), 4U);
}

// The first large checkpoint makes two files of rows, each with its part of the ids.
TEST(WeightTableTest, FilesOfRowsAreMergedOnceTheyOverlap) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  DatabaseImpl& impl = DatabaseAccess::ImplOf(*database);
  impl.set_largest_batch(0);
  WeightTable table(*database, kRowBytes);
  const auto files = [&impl] {
    rocksdb::ColumnFamilyMetaData meta;
    impl.rocks().GetColumnFamilyMetaData(impl.family(Family::kWeights), &meta);
    return meta.file_count;
  };
  Fill(table, Numbers(1, 6), std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, IsNotZero, IsNotZero)));
  EXPECT_EQ(files(), 2U);
  ASSERT_TRUE(Succeeded(database->Compact()));
  EXPECT_EQ(files(), 2U);  // nothing to gain

  Fill(table, Numbers(3, 9), std::byte{2});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 2, IsNotZero, IsNotZero)));
  for (const size_t compacted_files : {3U, 1U}) {
    EXPECT_EQ(files(), compacted_files);
    WeightTable stored(*database, kRowBytes);
    FoundRows found;
    ASSERT_TRUE(Succeeded(stored.Find(Numbers(1, 9), &found)));
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(*found.rows()[i], i < 2 ? std::byte{1} : std::byte{2}) << i;
    ASSERT_TRUE(Succeeded(database->Compact()));
  }
}

class BegunAgainTest : public testing::TestWithParam<size_t> {};

// With the same number, globals and texts nothing would tell it from the image of the new rows.
TEST_P(BegunAgainTest, TheOldScoreImageIsGoneBeforeTheNewRowsAreThere) {
  const TestDirectory scratch;
  FaultyDisk disk;
  const auto database = OpenForWriting(scratch);
  DatabaseAccess::ImplOf(*database).set_largest_batch(GetParam());
  WeightTable table(*database, kRowBytes);
  Fill(table, {1, 2}, std::byte{1});
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 7, IsNotZero, IsNotZero)));
  ASSERT_TRUE(ScoreImage::Open(scratch.model()).has_value());
  table.StartOver(kRowBytes, database->meta());
  Fill(table, {1, 2}, std::byte{2});
  std::atomic<int> syncs = 0;
  std::atomic<int> images = 0;
  disk.SetBeforeSync([&] {
    ++syncs;
    images += ScoreImage::Open(scratch.model()).has_value() ? 1 : 0;
  });
  ASSERT_TRUE(Succeeded(table.Checkpoint({}, 7, IsNotZero, IsNotZero)));
  disk.SetBeforeSync({});
  EXPECT_GT(syncs, 0);
  EXPECT_EQ(images, 0);
  EXPECT_TRUE(ScoreImage::Open(scratch.model()).has_value());
}

TEST_P(BegunAgainTest, IsSeenWholeOrNotAtAll) {
  const TestDirectory scratch;
  constexpr size_t kNewRowBytes = kRowBytes + 8;
  {
    const auto database = OpenForWriting(scratch);
    DatabaseAccess::ImplOf(*database).set_largest_batch(GetParam());
    WeightTable table(*database, kRowBytes);
    Fill(table, {1, 2, ~uint64_t{0}}, std::byte{1});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 7, IsNotZero, IsNotZero)));
    table.StartOver(kNewRowBytes, {{"learner", "another"}});
    FoundRows found;
    ASSERT_TRUE(Succeeded(table.Find(std::vector<uint64_t>{1}, &found)));
    EXPECT_EQ(found.rows()[0], nullptr);
    Fill(table, {2, 3}, std::byte{2});
    {
      const auto reader = Database::OpenForReading(scratch.model());
      ASSERT_TRUE(Succeeded(reader));
      WeightTable old(**reader, kRowBytes);
      ASSERT_TRUE(Succeeded(old.LoadAll()));
      EXPECT_EQ(old.resident_rows(), 3U);
      EXPECT_EQ((*reader)->ReadAppliedSeq(), 7U);
    }
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 5, IsNotZero, IsNotZero)));
    Fill(table, {4}, std::byte{3});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 6, IsNotZero, IsNotZero)));
  }
  for (const bool compacted : {false, true}) {
    if (compacted) {
      ASSERT_TRUE(Succeeded(OpenForWriting(scratch)->Compact()));
    }
    const auto reader = Database::OpenForReading(scratch.model());
    ASSERT_TRUE(Succeeded(reader));
    EXPECT_EQ((*reader)->ReadAppliedSeq(), 6U);
    EXPECT_EQ((*reader)->meta().at("learner"), "another");
    WeightTable piecemeal(**reader, kNewRowBytes);
    const std::vector<uint64_t> all{1, 2, 3, 4, ~uint64_t{0}};
    FoundRows found;
    ASSERT_TRUE(Succeeded(piecemeal.Find(all, &found)));
    WeightTable whole(**reader, kNewRowBytes);
    ASSERT_TRUE(Succeeded(whole.LoadAll()));
    std::set<uint64_t> ids;
    whole.ForEach([&](uint64_t id, const std::byte*) { ids.insert(id); });
    for (const auto* table : {&piecemeal, &whole}) EXPECT_EQ(table->resident_rows(), 3U);
    EXPECT_EQ(ids, (std::set<uint64_t>{2, 3, 4}));
    EXPECT_EQ(*whole.Texts(all), (std::vector<std::string>{"", "text", "text", "text", ""}));
  }
}

INSTANTIATE_TEST_SUITE_P(BothWays, BegunAgainTest, testing::Values(0, SIZE_MAX));

TEST(WeightTableTest, ManyRowsInOneCheckpoint) {
  const TestDirectory scratch;
  {
    const auto database = OpenForWriting(scratch);
    WeightTable table(*database, kRowBytes);
    std::mt19937_64 random(3);
    for (int message = 0; message < 100; ++message) {
      std::vector<uint64_t> ids(2000);
      for (uint64_t& id : ids) id = random();
      Fill(table, ids, std::byte{9});
    }
    EXPECT_EQ(table.Checkpoint({}, 1, IsNotZero, IsNotZero)->written, 200000U);
  }
  const auto reader = Database::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  WeightTable table(**reader, kRowBytes);
  ASSERT_TRUE(Succeeded(table.LoadAll()));
  EXPECT_EQ(table.resident_rows(), 200000U);
}

TEST(WeightTableTest, ARowOfAnotherSizeIsCorrupt) {
  const TestDirectory scratch;
  const auto database = OpenForWriting(scratch);
  {
    WeightTable table(*database, kRowBytes);
    Fill(table, {1}, std::byte{1});
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, IsNotZero, IsNotZero)));
  }
  WeightTable other(*database, kRowBytes + 8);
  FoundRows found;
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, other.Find(std::vector<uint64_t>{1}, &found)));
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, other.LoadAll()));
}

}  // namespace
}  // namespace thresher::storage

// Handles of rows: what a stale one does, and that no call depends on an earlier one.
#include "storage/found_rows.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/database_impl.h"
#include "storage/weight_table.h"
#include "tests/storage/filled_table.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

class FoundRowsTest : public testing::Test {
 protected:
  // A table of which nothing is in memory; on disk are rows 0 to 99 with every byte 1.
  void StoreAndReopen() {
    table_.reset();
    database_.reset();
    {
      const auto database = OpenForWriting(scratch_);
      WeightTable table(*database, kRowBytes);
      Fill(table, Numbers(0, 100), std::byte{1});
      ASSERT_TRUE(Succeeded(table.Checkpoint({}, 1, AllLive, AllLive)));
    }
    database_ = OpenForWriting(scratch_);
    table_ = std::make_unique<WeightTable>(*database_, kRowBytes);
  }

  TestDirectory scratch_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<WeightTable> table_;
};

TEST_F(FoundRowsTest, RepeatedIdsAreOneRow) {
  StoreAndReopen();
  FoundRows found;
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{500, 900, 500, 500}, &found)));
  const auto rows = table_->Touch(found);
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_EQ((*rows)[0], (*rows)[2]);
  EXPECT_EQ((*rows)[0], (*rows)[3]);
  EXPECT_NE((*rows)[0], (*rows)[1]);
  EXPECT_EQ(table_->resident_rows(), 2U);
}

TEST_F(FoundRowsTest, TouchGivesTheRowsThatTheHandleNamesThen) {
  StoreAndReopen();
  FoundRows found;
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{7, 500}, &found)));
  EXPECT_EQ(found.rows()[1], nullptr);
  const auto rows = table_->Touch(found);
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_EQ(*(*rows)[0], std::byte{1});
  EXPECT_EQ(*(*rows)[1], std::byte{0});
  ASSERT_TRUE(found.IsCurrent());
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(found.rows()[i], (*rows)[i]);
}

TEST_F(FoundRowsTest, ARowThatAnotherHandleMadeIsNotMadeAgain) {
  StoreAndReopen();
  FoundRows first;
  FoundRows second;
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{500}, &first)));
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{500}, &second)));
  const auto made = table_->Touch(first);
  ASSERT_TRUE(Succeeded(made));
  *(*made)[0] = std::byte{9};
  const auto again = table_->Touch(second);
  ASSERT_TRUE(Succeeded(again));
  EXPECT_EQ((*again)[0], (*made)[0]);
  EXPECT_EQ(*(*again)[0], std::byte{9});
}

// Whatever comes between Find and Touch, Touch gives the rows as they are now: row 7, which is stored, with
// its bytes, and row 500, which is new.
TEST_F(FoundRowsTest, AStaleHandleFindsItsRowsAgain) {
  const std::vector<std::function<void(WeightTable&)>> calls = {
      [](WeightTable& table) { Fill(table, Numbers(1000, 50000), std::byte{3}); },  // makes the table grow
      [](WeightTable& table) { ASSERT_TRUE(Succeeded(table.Checkpoint({}, 2, AllLive, AllLive))); },
      [](WeightTable& table) {
        table.SetBudget(1);
        Fill(table, {8}, std::byte{3});
        ASSERT_TRUE(Succeeded(table.Checkpoint({}, 2, AllLive, AllLive)));
        ASSERT_EQ(table.resident_rows(), 0U);
      },
  };
  for (size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    StoreAndReopen();
    FoundRows found;
    ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{7, 500}, &found)));
    calls[i](*table_);
    EXPECT_FALSE(found.IsCurrent());
    const auto rows = table_->Touch(found);
    ASSERT_TRUE(Succeeded(rows));
    EXPECT_TRUE(found.IsCurrent());
    EXPECT_EQ(*(*rows)[0], std::byte{1});
    EXPECT_EQ(*(*rows)[1], std::byte{0});
  }
}

// Another handle makes row 500, and a checkpoint stores and evicts it: the first handle must not take it for
// a new one.
TEST_F(FoundRowsTest, ARowThatWasStoredMeanwhileIsReadAgain) {
  StoreAndReopen();
  table_->SetBudget(1);
  FoundRows found;
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{500}, &found)));
  Fill(*table_, {500}, std::byte{5});
  ASSERT_TRUE(Succeeded(table_->Checkpoint({}, 2, AllLive, AllLive)));
  const auto rows = table_->Touch(found);
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_EQ(*(*rows)[0], std::byte{5});
}

TEST_F(FoundRowsTest, StartOverLeavesNothingToFind) {
  StoreAndReopen();
  FoundRows found;
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{7}, &found)));
  table_->StartOver(kRowBytes, {});
  EXPECT_FALSE(found.IsCurrent());
  const auto rows = table_->Touch(found);
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_EQ(*(*rows)[0], std::byte{0});
}

// So many entries are on disk, most of them removals, that the table makes room when it loads all, and moves
// its rows; but it has all of them already.
TEST_F(FoundRowsTest, IsCurrentWhereLoadingAllMovedRowsAndAddedNone) {
  constexpr uint64_t kLeft = 100;
  const auto store = [this](uint64_t round, const std::vector<uint64_t>& ids, std::byte fill) {
    const auto database = OpenForWriting(scratch_);
    DatabaseAccess::ImplOf(*database).set_largest_batch(~size_t{0});
    WeightTable table(*database, kRowBytes);
    for (const uint64_t id : ids) Fill(table, {id}, fill);
    ASSERT_TRUE(Succeeded(table.Checkpoint({}, round, IsNotZero, IsNotZero)));
  };
  store(1, SpreadNumbers(0, 30000), std::byte{1});
  store(2, SpreadNumbers(kLeft, 30000), std::byte{0});
  store(3, SpreadNumbers(0, kLeft), std::byte{1});
  database_ = OpenForWriting(scratch_);
  table_ = std::make_unique<WeightTable>(*database_, kRowBytes);
  for (uint64_t next = 500'000; next < 600'000; next += 500) {
    std::vector<uint64_t> ids = SpreadNumbers(0, kLeft);
    const std::vector<uint64_t> absent = SpreadNumbers(next, next + 500);
    ids.insert(ids.end(), absent.begin(), absent.end());
    FoundRows found;
    ASSERT_TRUE(Succeeded(table_->Find(ids, &found)));
    ASSERT_TRUE(found.IsCurrent()) << next;
    EXPECT_EQ(*found.rows()[0], std::byte{1});
    EXPECT_EQ(found.rows()[kLeft], nullptr);
  }
  EXPECT_EQ(table_->resident_rows(), kLeft);
}

TEST_F(FoundRowsTest, AHandleOfAnotherTableIsFilledAgain) {
  StoreAndReopen();
  FoundRows found;
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{7, 500}, &found)));
  table_ = std::make_unique<WeightTable>(*database_, kRowBytes);
  EXPECT_FALSE(found.IsCurrent());
  ASSERT_TRUE(Succeeded(table_->Touch(found)));
  WeightTable other(*database_, kRowBytes);
  const auto rows = other.Touch(found);
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_EQ(*(*rows)[0], std::byte{1});
  EXPECT_EQ(other.resident_rows(), 2U);
}

TEST_F(FoundRowsTest, ANewHandleHasNoRows) {
  StoreAndReopen();
  FoundRows none;
  EXPECT_FALSE(none.IsCurrent());
  const auto rows = table_->Touch(none);
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_TRUE(rows->empty());
}

// The absent row may be on disk: Touch must try again, and fail again, and not make a new row.
TEST_F(FoundRowsTest, AfterAFailedFindTouchFailsToo) {
  StoreAndReopen();
  WeightTable other(*database_, kRowBytes + 8);
  FoundRows found;
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, other.Find(std::vector<uint64_t>{7}, &found)));
  EXPECT_FALSE(found.IsCurrent());
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, other.Touch(found)));
  EXPECT_EQ(other.resident_rows(), 0U);
}

using FoundRowsDeathTest = FoundRowsTest;

TEST_F(FoundRowsDeathTest, RowsOfAStaleHandleStopTheProgram) {
  StoreAndReopen();
  FoundRows found;
  ASSERT_TRUE(Succeeded(table_->Find(std::vector<uint64_t>{7}, &found)));
  table_->StartOver(kRowBytes, {});
  EXPECT_DEATH(static_cast<void>(found.rows()), "");
}

}  // namespace
}  // namespace thresher::storage

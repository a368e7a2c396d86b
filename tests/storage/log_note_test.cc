// The note that a writer leaves of the logs: it vouches for these bytes and no others.
#include "storage/log_note.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "storage/store_directory.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

class LogNoteTest : public testing::Test {
 protected:
  LogNoteTest() {
    fs::create_directories(DatabasePath(dir_));
    Write("000007.log", "some records");
    Write("000009.log", "");
    Write("000008.sst", "no log");
    Write("MANIFEST-000005", "two tables");
    Write("CURRENT", "MANIFEST-000005");
  }

  void Write(const char* name, std::string_view bytes) {
    std::ofstream(DatabasePath(dir_) / name, std::ios::binary) << bytes;
  }

  TestDirectory scratch_;
  fs::path dir_ = scratch_.model();
};

TEST_F(LogNoteTest, IsTakenOnce) {
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, /*synced=*/false);
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kSame);
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, /*synced=*/true);
  Write("000008.sst", "another table");
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kSameOnDisk);
}

TEST_F(LogNoteTest, SaysWhetherTheStoreIsClosed) {
  EXPECT_FALSE(IsClosedStore(dir_));
  WriteLogNote(dir_, true);
  EXPECT_TRUE(IsClosedStore(dir_));
  EXPECT_TRUE(IsClosedStore(dir_));
  Write("000007.log", "some records and one");
  EXPECT_FALSE(IsClosedStore(dir_));
  WriteLogNote(dir_, false);
  EXPECT_TRUE(IsClosedStore(dir_));
  Write("000010.log", "later records");
  EXPECT_FALSE(IsClosedStore(dir_));
  WriteLogNote(dir_, true);
  const LogNoteStamp stamp = StampOfLogNote(dir_);
  EXPECT_NE(stamp, LogNoteStamp());
  EXPECT_EQ(StampOfLogNote(dir_), stamp);
  static_cast<void>(TakeLogNote(dir_));
  EXPECT_FALSE(IsClosedStore(dir_));
  EXPECT_EQ(StampOfLogNote(dir_), LogNoteStamp());
}

TEST_F(LogNoteTest, IsOfTheseLogsOnly) {
  WriteLogNote(dir_, true);
  Write("000007.log", "some recordS");
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, true);
  Write("MANIFEST-000005", "one table");
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, true);
  Write("000007.log", "some record");
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, true);
  Write("000010.log", "later records");
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, true);
  fs::remove(DatabasePath(dir_) / "000010.log");
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, true);
  std::ofstream(LogNotePath(dir_), std::ios::app) << "more";
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
}

// A directory can be opened like a file, and fails as a bad disk does when it is read.
TEST_F(LogNoteTest, OfWhatCannotBeReadThereIsNone) {
  WriteLogNote(dir_, true);
  fs::create_directory(DatabasePath(dir_) / "000011.log");
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
  WriteLogNote(dir_, true);
  EXPECT_FALSE(fs::exists(LogNotePath(dir_)));
  fs::remove(DatabasePath(dir_) / "000011.log");
  fs::create_directory(LogNotePath(dir_));
  EXPECT_EQ(TakeLogNote(dir_), LogNote::kNone);
}

// A writer that is at work, or was killed, has left none.
TEST_F(LogNoteTest, IsThereWhileNobodyWrites) {
  const fs::path dir = scratch_.path() / "toy";
  auto model = *ToyModel::OpenOrCreate(dir, Durability::kGroup);
  ASSERT_TRUE(Succeeded(model->Learn()));
  EXPECT_FALSE(fs::exists(LogNotePath(dir)));
  model.reset();
  EXPECT_TRUE(fs::exists(LogNotePath(dir)));
  model = *ToyModel::OpenOrCreate(dir, Durability::kGroup);
  EXPECT_FALSE(fs::exists(LogNotePath(dir)));
}

}  // namespace
}  // namespace thresher::storage

// Writers of a few examples each, one after the other: they add to one log, and neither make tables nor
// replace RocksDB's list of files (late_list.h, join_logs.h). What they acknowledged survives whatever ends
// one of them.
#include <gtest/gtest.h>
#include <rocksdb/io_status.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "storage/backup.h"
#include "storage/store_directory.h"
#include "tests/rounds.h"
#include "tests/storage/faulty_disk.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr int kExamples = 2;  // of each writer

// One writer's life. Of each acknowledged example, `acknowledged` gets the number.
Result<void> Write(const fs::path& dir, Way way, std::atomic<uint64_t>* acknowledged) {
  auto model = ToyModel::OpenOrCreate(dir, Durability::kSync);
  if (!model) return tl::unexpected(model.error());
  for (int i = 0; i < kExamples; ++i) {
    const auto seq = (*model)->Learn();
    if (!seq) return tl::unexpected(seq.error());
    *acknowledged = *seq;
  }
  return (*model)->Checkpoint(way);
}

// Checks that a reader finds the complete state after some example; returns its number.
uint64_t LastRead(const fs::path& dir) {
  const auto reader = ToyModel::OpenForReading(dir);
  EXPECT_TRUE(Succeeded(reader));
  if (!reader) return 0;
  ToyTwin twin;
  twin.LearnUpTo((*reader)->applied_seq());
  EXPECT_EQ((*reader)->Rows(), twin.rows());
  return (*reader)->log().last_seq();
}

// The same of a reader and of two more writers.
void ExpectWhole(const fs::path& dir, uint64_t acknowledged) {
  EXPECT_GE(LastRead(dir), acknowledged);
  for (int writer = 0; writer < 2; ++writer) {
    std::atomic<uint64_t> last = 0;
    ASSERT_TRUE(Succeeded(Write(dir, Way::kBatch, &last)));
    EXPECT_GE(last, acknowledged + kExamples);
    acknowledged = last;
    EXPECT_EQ(LastRead(dir), last);
  }
  EXPECT_TRUE(Succeeded(Database::CheckLog(dir)));
}

std::set<std::string> FilesWith(const fs::path& dir, const std::string& extension) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(DatabasePath(dir))) {
    if (entry.path().extension() == extension && entry.file_size() > 0)
      names.insert(entry.path().filename().string());
  }
  return names;
}

std::string ListOf(const fs::path& dir) {
  for (const auto& entry : fs::directory_iterator(DatabasePath(dir)))
    if (entry.path().filename().string().starts_with("MANIFEST")) return entry.path().filename().string();
  return {};
}

class ShortWritersTest : public testing::Test {
 protected:
  // A model that an orderly writer has left, with tables and with a log.
  void SetUp() override {
    ASSERT_TRUE(Succeeded(Write(dir_, Way::kTables, &last_)));
    ASSERT_TRUE(Succeeded(Write(dir_, Way::kBatch, &last_)));
    ASSERT_EQ(FilesWith(dir_, ".log").size(), 1);
  }

  fs::path Copy() {
    const fs::path copy = scratch_.path() / "copy";
    fs::remove_all(copy);
    fs::copy(dir_, copy, fs::copy_options::recursive);
    return copy;
  }

  FaultyDisk disk_;  // does not sync the real one
  TestDirectory scratch_;
  fs::path dir_ = scratch_.model();
  std::atomic<uint64_t> last_ = 0;  // RocksDB's threads sync while the writer goes on
};

TEST_F(ShortWritersTest, AddToOneLog) {
  const std::string list = ListOf(dir_);
  const std::set<std::string> tables = FilesWith(dir_, ".sst");
  for (int writer = 0; writer < 5; ++writer) {
    const uint64_t before = last_;
    ASSERT_TRUE(Succeeded(Write(dir_, Way::kBatch, &last_)));
    EXPECT_EQ(last_, before + kExamples);
    EXPECT_EQ(FilesWith(dir_, ".log").size(), 1);
    EXPECT_EQ(FilesWith(dir_, ".sst"), tables);
    EXPECT_EQ(ListOf(dir_), list);
    EXPECT_EQ(LastRead(dir_), last_);
  }
}

TEST_F(ShortWritersTest, MakeTablesOfALongLog) {
  const std::set<std::string> tables = FilesWith(dir_, ".sst");
  int writers = 0;
  while (FilesWith(dir_, ".sst") == tables && ++writers < 2000)
    ASSERT_TRUE(Succeeded(Write(dir_, Way::kBatch, &last_)));
  EXPECT_GT(writers, 3);
  EXPECT_LT(writers, 2000);
  EXPECT_EQ(LastRead(dir_), last_);
  ExpectWhole(dir_, last_);
}

// Each sync of a writer, and after it: of tables, of the list that names them, and of two logs in one.
TEST_F(ShortWritersTest, APowerCutAtAnySyncLosesNothingAcknowledged) {
  std::mt19937_64 random(3);
  const TestDirectory after;
  for (const Way way : {Way::kBatch, Way::kTables, Way::kBatch}) {
    std::vector<uint64_t> promised;
    disk_.SetBeforeSync([&] {
      promised.push_back(last_);  // before the cut: the writer may acknowledge the next one meanwhile
      disk_.CutPower(dir_, after.path() / std::to_string(promised.size() - 1), random);
    });
    const auto written = Write(dir_, way, &last_);
    disk_.SetBeforeSync({});
    ASSERT_TRUE(Succeeded(written));
    EXPECT_GE(promised.size(), kExamples + 1);
    for (size_t cut = 0; cut < promised.size(); ++cut) {
      SCOPED_TRACE(testing::Message() << "cut " << cut << ", way " << static_cast<int>(way));
      ExpectWhole(after.path() / std::to_string(cut), promised[cut]);
      fs::remove_all(after.path() / std::to_string(cut));
    }
  }
}

TEST_F(ShortWritersTest, ADeathBeforeTheOlderLogIsRemovedChangesNothing) {
  const std::string older = *FilesWith(dir_, ".log").begin();
  const fs::path kept = scratch_.path() / older;
  fs::copy_file(DatabasePath(dir_) / older, kept);
  const std::string before = StateName(dir_);
  ASSERT_TRUE(Succeeded(Write(dir_, Way::kBatch, &last_)));
  EXPECT_FALSE(fs::exists(DatabasePath(dir_) / older));
  EXPECT_NE(StateName(dir_), before);  // a reader that opens it meanwhile tries again
  for (const bool with_note : {false, true}) {
    const fs::path copy = Copy();
    fs::copy_file(kept, DatabasePath(copy) / older);
    if (!with_note) fs::remove(LogNotePath(copy));
    EXPECT_EQ(LastRead(copy), last_);
    const TestDirectory target;
    ASSERT_TRUE(Succeeded(BackUp(copy, target.model())));
    EXPECT_EQ(LastRead(target.model()), last_);
    ExpectWhole(copy, last_);
    EXPECT_EQ(FilesWith(copy, ".log").size(), 1);
  }
}

// RocksDB's numbers have six digits, and seven from a million on.
TEST_F(ShortWritersTest, GoOnAfterAMillionFiles) {
  const fs::path database = DatabasePath(dir_);
  fs::rename(database / *FilesWith(dir_, ".log").begin(), database / "999970.log");
  size_t digits = 0;
  for (int writer = 0; writer < 30; ++writer) {
    ExpectWhole(dir_, last_);
    last_ = LastRead(dir_);
    const auto logs = FilesWith(dir_, ".log");
    if (!logs.empty()) digits = logs.begin()->find('.');
  }
  EXPECT_EQ(digits, 7);
}

// From the n-th write or sync of a writer on, for every third n; a sanitizer takes every ninth.
TEST_F(ShortWritersTest, AFailingDiskLosesNothingAcknowledged) {
  for (const Way way : {Way::kBatch, Way::kTables}) {
    for (const DiskWork work : {DiskWork::kWrite, DiskWork::kSync}) {
      bool failed = true;
      uint64_t n = 1;
      for (; failed; n += 9 / Draws(3)) {
        SCOPED_TRACE(testing::Message() << "way " << static_cast<int>(way) << ", work "
                                        << static_cast<int>(work) << ", from " << n);
        ASSERT_LT(n, 1000);
        const fs::path copy = Copy();
        std::atomic<uint64_t> acknowledged = last_.load();
        const uint64_t before = disk_.Count(work);
        disk_.FailFrom(work, n, rocksdb::IOStatus::IOError("broken"));
        static_cast<void>(Write(copy, way, &acknowledged));
        failed = disk_.Count(work) >= before + n;
        disk_.FailFrom(work, 1, rocksdb::IOStatus::OK());
        ExpectWhole(copy, acknowledged);
        if (HasFailure()) return;
      }
      EXPECT_GT(n, 5U);
    }
  }
}

// From each file on that RocksDB makes to flush its log: one is the list of files that is to follow the one
// in memory, and the one on disk is needed until CURRENT names another.
TEST_F(ShortWritersTest, WhereNoFileCanBeMadeNothingIsLost) {
  bool failed = true;
  uint64_t n = 1;
  for (; failed; ++n) {
    SCOPED_TRACE(n);
    ASSERT_LT(n, 100);
    const fs::path copy = Copy();
    std::atomic<uint64_t> acknowledged = last_.load();
    {
      auto model = ToyModel::OpenOrCreate(copy, Durability::kSync);
      ASSERT_TRUE(Succeeded(model));
      const auto seq = (*model)->Learn();
      ASSERT_TRUE(Succeeded(seq));
      acknowledged = *seq;
      disk_.FailFrom(DiskWork::kCreate, n, rocksdb::IOStatus::NoSpace("no room"));
      failed = !(*model)->database().Compact();
    }
    disk_.FailFrom(DiskWork::kCreate, 1, rocksdb::IOStatus::OK());
    ExpectWhole(copy, acknowledged);
    if (HasFailure()) return;
  }
  EXPECT_GT(n, 3U);
}

}  // namespace
}  // namespace thresher::storage

// Which files leave with the checkpoint by which the last of their examples expire.
#include <gtest/gtest.h>
#include <rocksdb/metadata.h>

#include <cstdint>
#include <random>
#include <string>

#include "storage/database_impl.h"
#include "storage/example_codec.h"
#include "storage/example_log.h"
#include "storage/weight_table.h"
#include "tests/storage/filled_table.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

constexpr uint64_t kOfASession = 100;
constexpr size_t kFeatureBytes = 4000;  // the log of a session is too long to be left behind

void Learn(Database& database) {
  ExampleLog log(database);
  std::mt19937 random(static_cast<uint32_t>(log.last_seq()));
  for (uint64_t i = 0; i < kOfASession; ++i) {
    Example example;
    example.label = 1;
    example.message_id = std::to_string(log.last_seq());
    example.features.resize(kFeatureBytes);
    for (char& byte : example.features) byte = static_cast<char>(random());
    ASSERT_TRUE(Succeeded(log.Append(example)));
  }
}

void Expire(Database& database, uint64_t first_kept) {
  ExampleLog log(database);
  log.SetExtent({.first_seq = first_kept, .bytes = 1});
  ASSERT_TRUE(Succeeded(WeightTable(database, kRowBytes).Checkpoint({}, log.last_seq(), AllLive, AllLive)));
}

bool IsInAFile(Database& database, uint64_t seq) {
  return DatabaseAccess::ImplOf(database).Get(Family::kExamples, ExampleKey(seq))->has_value();
}

size_t FilesOfLevel0(Database& database) {
  const DatabaseImpl& impl = DatabaseAccess::ImplOf(database);
  rocksdb::ColumnFamilyMetaData files;
  impl.rocks().GetColumnFamilyMetaData(impl.family(Family::kExamples), &files);
  return files.levels.front().files.size();
}

TEST(ExpiredFilesTest, LeaveThoughTheyWaitToBeMerged) {
  const TestDirectory scratch;
  Learn(*OpenForWriting(scratch));
  Learn(*OpenForWriting(scratch));
  const auto database = OpenForWriting(scratch);
  ASSERT_EQ(FilesOfLevel0(*database), 2U);
  Expire(*database, kOfASession);
  EXPECT_TRUE(IsInAFile(*database, 1));  // one of its file is kept
  EXPECT_EQ(FilesOfLevel0(*database), 2U);
  Expire(*database, kOfASession + 10);
  for (uint64_t seq = 1; seq <= kOfASession; ++seq) EXPECT_FALSE(IsInAFile(*database, seq)) << seq;
  EXPECT_EQ(FilesOfLevel0(*database), 1U);
  EXPECT_TRUE(IsInAFile(*database, kOfASession + 1));
  uint64_t next = kOfASession + 10;
  ASSERT_TRUE(Succeeded(ExampleLog(*database).Read(0, [&next](const Example& example) {
    EXPECT_EQ(example.seq, next++);
    return true;
  })));
  EXPECT_EQ(next, 2 * kOfASession + 1);
}

}  // namespace
}  // namespace thresher::storage

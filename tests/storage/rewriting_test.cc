// A process that ends while it takes examples out of the log: their bytes leave the disk with the next
// writer.
#include <gtest/gtest.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <random>
#include <span>
#include <string>

#include "storage/database_impl.h"
#include "storage/example_log.h"
#include "storage/model_meta.h"
#include "storage/weight_table.h"
#include "tests/storage/damaged_files.h"
#include "tests/storage/faulty_disk.h"
#include "tests/storage/filled_table.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

constexpr uint64_t kRewritten = 40;
constexpr uint64_t kLongOne = 7;
constexpr size_t kLongFeatures = 10000;  // all other examples together are shorter

// Makes a store whose examples are all in table files and in the weights.
void MakeStoreWithALongExample(const TestDirectory& scratch) {
  const auto database = OpenForWriting(scratch);
  ExampleLog log(*database);
  for (uint64_t seq = 1; seq <= kRewritten; ++seq) {
    Example example;
    example.label = 1;
    example.message_id = std::to_string(seq);
    if (seq == kLongOne) example.features.assign(kLongFeatures, 'f');
    ASSERT_EQ(log.Append(example), seq);
  }
  ASSERT_TRUE(Succeeded(WeightTable(*database, kRowBytes).Checkpoint({}, kRewritten, AllLive, AllLive)));
  ASSERT_TRUE(Succeeded(database->Compact()));
}

Result<void> ForgetTheLongExample(ExampleLog& log) {
  Example rest;
  rest.seq = kLongOne;
  const MessageKeyText key{std::to_string(kLongOne), ""};
  return log.Replace(std::span(&rest, 1), std::span(&key, 1), LogExtent(log.extent()));
}

// Of values in table files, also of those that newer ones have replaced.
uint64_t BytesInFiles(const Database& database, Family family) {
  const DatabaseImpl& impl = DatabaseAccess::ImplOf(database);
  rocksdb::TablePropertiesCollection files;
  EXPECT_TRUE(impl.rocks().GetPropertiesOfAllTables(impl.family(family), &files).ok());
  uint64_t bytes = 0;
  for (const auto& [name, properties] : files) bytes += properties->raw_value_size;
  return bytes;
}

TEST(RewritingTest, WhereverItFailsForgottenBytesLeaveTheFilesWithTheNextWriter) {
  bool failed = true;
  int finished_later = 0;
  for (uint64_t n = 1; failed; ++n) {
    SCOPED_TRACE(n);
    ASSERT_LT(n, 100U);
    const TestDirectory scratch;
    MakeStoreWithALongExample(scratch);
    {
      FaultyDisk disk;
      const auto database = OpenForWriting(scratch);
      EXPECT_GT(BytesInFiles(*database, Family::kExamples), kLongFeatures);
      ExampleLog log(*database);
      disk.FailFrom(DiskWork::kSync, n, rocksdb::IOStatus::IOError("broken"));
      failed = !ForgetTheLongExample(log);
    }
    const auto database = OpenForWriting(scratch);
    const auto left = ExampleLog(*database).Get(kLongOne);
    ASSERT_TRUE(Succeeded(left));
    ASSERT_TRUE(left->has_value());
    if (!IsForgotten(**left)) continue;  // nothing of it came to the disk
    finished_later += failed ? 1 : 0;
    EXPECT_LT(BytesInFiles(*database, Family::kExamples), kLongFeatures);
    EXPECT_FALSE(DatabaseAccess::ImplOf(*database).Get(Family::kMeta, kRewriteDueKey)->has_value());
  }
  EXPECT_GT(finished_later, 0);
}

// The copy of an expired example (kept_examples.h) that is forgotten goes with a checkpoint, before the
// examples of the log are replaced.
TEST(RewritingTest, AForgottenCopyLeavesTheFilesThoughTheProcessEnds) {
  const TestDirectory scratch;
  MakeStoreWithALongExample(scratch);
  {
    const auto database = OpenForWriting(scratch);
    ExampleLog log(*database);
    log.SetExtent({.first_seq = kLongOne + 1, .bytes = 1000});
    log.KeepExpired({kLongOne});
    WeightTable weights(*database, kRowBytes);
    ASSERT_TRUE(Succeeded(weights.Checkpoint({}, kRewritten, AllLive, AllLive)));
    ASSERT_TRUE(Succeeded(database->Compact()));
    EXPECT_GT(BytesInFiles(*database, Family::kMeta), kLongFeatures);
    log.KeepExpired({});
    log.ForgetExpired();
    ASSERT_TRUE(Succeeded(weights.Checkpoint({}, kRewritten, AllLive, AllLive)));
  }
  const auto database = OpenForWriting(scratch);
  EXPECT_LT(BytesInFiles(*database, Family::kMeta), kLongFeatures);
  EXPECT_FALSE(DatabaseAccess::ImplOf(*database).Get(Family::kMeta, kRewriteDueKey)->has_value());
}

// A damaged file cannot be written anew; it must not keep a writer out.
TEST(RewritingTest, WhatCannotBeRewrittenStaysDue) {
  const TestDirectory scratch;
  constexpr uint64_t kLast = 100;
  rocksdb::TablePropertiesCollection files;
  {
    const auto database = OpenForWriting(scratch);
    ExampleLog log(*database);
    std::mt19937 random(1);
    Example example;
    for (uint64_t seq = 1; seq <= kLast; ++seq) {
      example.features.resize(4096);  // that cannot be compressed: together they fill several blocks
      for (char& byte : example.features) byte = static_cast<char>(random());
      ASSERT_EQ(log.Append(example), seq);
    }
    ASSERT_TRUE(Succeeded(WeightTable(*database, kRowBytes).Checkpoint({}, kLast, AllLive, AllLive)));
    ASSERT_TRUE(Succeeded(database->Compact()));
    DatabaseImpl& impl = DatabaseAccess::ImplOf(*database);
    ASSERT_TRUE(impl.rocks().GetPropertiesOfAllTables(impl.family(Family::kExamples), &files).ok());
    rocksdb::WriteBatch batch;
    ASSERT_TRUE(batch.Put(std::string(kRewriteDueKey), std::string()).ok());
    ASSERT_TRUE(Succeeded(impl.Write(&batch, /*sync=*/true)));
  }
  ASSERT_EQ(files.size(), 1U);
  ASSERT_GT(files.begin()->second->num_data_blocks, 2U);
  FlipAt(files.begin()->first, 100);  // in the first block
  for (uint64_t seq = kLast + 1; seq <= kLast + 2; ++seq) {
    const auto database = OpenForWriting(scratch);
    EXPECT_EQ(ExampleLog(*database).Append(Example()), seq);
    EXPECT_TRUE(DatabaseAccess::ImplOf(*database).Get(Family::kMeta, kRewriteDueKey)->has_value());
  }
}

}  // namespace
}  // namespace thresher::storage

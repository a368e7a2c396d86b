// What a store guarantees when the power fails or the disk fails; docs/durability.md has the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "storage/backup.h"
#include "storage/database_impl.h"
#include "storage/walk.h"
#include "tests/rounds.h"
#include "tests/storage/faulty_disk.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;
using rocksdb::IOStatus;

// Checks that the model in `dir` is the complete state after some number of examples; returns the number.
uint64_t CheckWhole(const fs::path& dir) {
  const auto model = ToyModel::OpenOrCreate(dir, Durability::kOs);
  if (!model) {
    ADD_FAILURE() << model.error().message;
    return 0;
  }
  const uint64_t last = (*model)->log().last_seq();
  EXPECT_EQ((*model)->applied_seq(), last);
  ToyTwin twin;
  twin.LearnUpTo(last);
  EXPECT_EQ((*model)->Rows(), twin.rows());
  return last;
}

// What must be on disk: the acknowledged examples, and those of the last checkpoint.
struct Promise {
  uint64_t acknowledged = 0;
  uint64_t checkpointed = 0;
};

// Trains with one to some dozen examples, then at random makes a checkpoint of either kind or compacts.
void Work(ToyModel& model, Durability durability, std::mt19937_64& random, Promise& promise) {
  for (uint64_t i = 1 + random() % 30; i > 0; --i) {
    const auto seq = model.Learn();
    ASSERT_TRUE(Succeeded(seq));
    if (durability == Durability::kSync) promise.acknowledged = *seq;
  }
  if (durability == Durability::kGroup && random() % 2 == 0) {
    ASSERT_TRUE(Succeeded(model.log().Acknowledge()));
    promise.acknowledged = model.log().last_seq();
  }
  if (random() % 4 == 0) {
    ASSERT_TRUE(Succeeded(model.Checkpoint(random() % 2 == 0 ? Way::kTables : Way::kBatch)));
    promise.checkpointed = model.applied_seq();
  }
  if (random() % 16 == 0) {
    ASSERT_TRUE(Succeeded(model.database().Compact()));
  }
}

class PowerTest : public testing::TestWithParam<Durability> {};

TEST_P(PowerTest, WhatWasPromisedIsThereAfterItFailed) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < Rounds(4); ++trial) {
    SCOPED_TRACE(trial);
    const TestDirectory scratch;
    const FaultyDisk disk;
    Promise promise;
    auto model = ToyModel::OpenOrCreate(scratch.model(), GetParam());
    ASSERT_TRUE(Succeeded(model));
    for (int piece = 0; piece < 8; ++piece) {
      SCOPED_TRACE(piece);
      if (piece % 3 == 2) {  // what one process left unsynced, the next one builds upon
        model->reset();
        model = ToyModel::OpenOrCreate(scratch.model(), GetParam());
        ASSERT_TRUE(Succeeded(model));
      }
      Work(**model, GetParam(), random, promise);
      const TestDirectory after;
      disk.CutPower(scratch.model(), after.model(), random);
      const uint64_t found = CheckWhole(after.model());
      EXPECT_GE(found, promise.acknowledged);
      EXPECT_GE(found, promise.checkpointed);
      EXPECT_LE(found, (*model)->log().last_seq());
      if (HasFailure()) return;
    }
  }
}

// At each sync of a flush and of compactions, while the list of files has records that are not synced yet.
TEST_P(PowerTest, WhatWasPromisedIsThereIfItFailsWhileTheListOfFilesIsWritten) {
  std::mt19937_64 random(13);
  const TestDirectory scratch;
  const TestDirectory after;
  FaultyDisk disk;
  const auto model = ToyModel::OpenOrCreate(scratch.model(), GetParam());
  ASSERT_TRUE(Succeeded(model));
  Promise promise;
  int cuts = 0;
  int all_cuts = 0;
  for (int piece = 0; piece < 3; ++piece) {
    Work(**model, GetParam(), random, promise);
    disk.SetBeforeSync([&] {
      for (int i = 0; i < 5; ++i)
        disk.CutPower(scratch.model(), after.model() / std::to_string(cuts++), random);
    });
    const auto compacted = (*model)->database().Compact();
    disk.SetBeforeSync({});
    ASSERT_TRUE(Succeeded(compacted));
    for (int cut = 0; cut < cuts; ++cut) {
      SCOPED_TRACE(cut);
      const fs::path left = after.model() / std::to_string(cut);
      if (cut % 5 == 0) {
        const fs::path copy = left.string() + "-copy";
        ASSERT_TRUE(Succeeded(BackUp(left, copy)));
        EXPECT_GE(CheckWhole(copy), promise.acknowledged);
      }
      const uint64_t found = CheckWhole(left);
      EXPECT_GE(found, promise.acknowledged);
      EXPECT_GE(found, promise.checkpointed);
    }
    ASSERT_FALSE(HasFailure());
    fs::remove_all(after.model());
    all_cuts += std::exchange(cuts, 0);
  }
  EXPECT_GT(all_cuts, 0);
}

INSTANTIATE_TEST_SUITE_P(All, PowerTest,
                         testing::Values(Durability::kSync, Durability::kGroup, Durability::kOs),
                         [](const auto& param_info) {
                           return param_info.param == Durability::kSync    ? "Sync"
                                  : param_info.param == Durability::kGroup ? "Group"
                                                                           : "Os";
                         });

// Trains until something fails and returns the error. Notes in `promise` what was acknowledged before.
Error WorkUntilItFails(const fs::path& dir, Promise& promise) {
  const auto model = ToyModel::OpenOrCreate(dir, Durability::kSync);
  if (!model) return model.error();
  for (;;) {
    const auto seq = (*model)->Learn();
    if (!seq) {
      EXPECT_TRUE(FailedWith(seq.error().kind, (*model)->Checkpoint())) << "it went on";
      return seq.error();
    }
    promise.acknowledged = *seq;
    if (*seq % 20 != 0) continue;
    const Way way = *seq % 40 == 0 ? Way::kTables : Way::kBatch;
    if (const auto done = (*model)->Checkpoint(way); !done) {
      EXPECT_TRUE(FailedWith(done.error().kind, (*model)->Learn())) << "it went on";
      return done.error();
    }
    if (*seq % 60 != 0) continue;
    if (const auto done = (*model)->database().Compact(); !done) return done.error();
  }
}

TEST(FaultyDiskTest, AFailingDiskStopsTheWriterAndLosesNothing) {
  std::mt19937_64 random(11);
  for (const DiskWork work : {DiskWork::kWrite, DiskWork::kSync}) {
    const TestDirectory scratch;
    Promise promise;
    for (int trial = 0; trial < Rounds(6); ++trial) {
      SCOPED_TRACE(trial);
      const bool full = trial % 2 == 0;
      {
        FaultyDisk disk;
        disk.FailFrom(work, 1 + random() % 150,
                      full ? IOStatus::NoSpace("no room") : IOStatus::IOError("broken"));
        const Error error = WorkUntilItFails(scratch.model(), promise);
        EXPECT_EQ(error.kind, full ? ErrorKind::kFull : ErrorKind::kIo) << error.message;
      }
      if (Database::CheckExists(scratch.model())) {
        EXPECT_GE(CheckWhole(scratch.model()), promise.acknowledged);
      }
      if (HasFailure()) return;
    }
  }
}

// What was written and could not be synced may be on disk: here it is, so the list of files names what came
// with it.
TEST(FaultyDiskTest, WhereverASyncFailsTheListOfFilesNamesNoMissingFile) {
  bool failed = true;
  uint64_t n = 1;
  for (; failed; ++n) {
    SCOPED_TRACE(n);
    ASSERT_LT(n, 100U);
    const TestDirectory scratch;
    {
      FaultyDisk disk;
      const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
      ASSERT_TRUE(Succeeded(model));
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
      ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
      disk.FailFrom(DiskWork::kSync, n, IOStatus::IOError("broken"));
      failed = !(*model)->database().Compact();
    }
    EXPECT_EQ(CheckWhole(scratch.model()), 20U);
  }
  EXPECT_GT(n, 5U);
}

// Within a minute, as RocksDB moves files behind the back of whoever writes.
size_t MostFilesOfARun(const DatabaseImpl& impl, Family family) {
  size_t most = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  do {
    rocksdb::ColumnFamilyMetaData files;
    impl.rocks().GetColumnFamilyMetaData(impl.family(family), &files);
    most = 1;
    for (const auto& level : files.levels) {
      if (level.level > 0) most = std::max(most, level.files.size());
    }
    if (most == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (family == Family::kExamples && most == 1 && std::chrono::steady_clock::now() < deadline);
  return most;
}

// The parameter: the number of examples. 300 are in one sorted run of several files, whose next file is where
// RocksDB itself might not notice it; the others are in runs of one file, which it then goes on to read.
class FaultyReadTest : public testing::TestWithParam<uint64_t> {};

TEST_P(FaultyReadTest, IsNoticed) {
  const TestDirectory scratch;
  {
    const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(model));
    DatabaseImpl& impl = DatabaseAccess::ImplOf((*model)->database());
    for (uint64_t i = 1; i <= GetParam(); ++i) {
      ASSERT_TRUE(Succeeded((*model)->Learn()));
      const bool flushes = i % 50 == 0;
      ASSERT_TRUE(Succeeded(flushes ? impl.Flush(/*wait=*/true) : Result<void>()));
      if (i != 300) continue;
      ASSERT_TRUE(Succeeded((*model)->Checkpoint(Way::kTables)));
      ASSERT_TRUE(Succeeded((*model)->database().Compact()));
      EXPECT_GT(MostFilesOfARun(impl, Family::kExamples), 1U);
      EXPECT_EQ(MostFilesOfARun(impl, Family::kWeights), 1U);
    }
  }
  ToyTwin twin;
  twin.LearnUpTo(GetParam());
  const auto read_all = [&]() -> Result<void> {
    const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
    if (!model) return tl::unexpected(model.error());
    const auto rows = (*model)->Rows();
    if (!rows) return tl::unexpected(rows.error());
    EXPECT_EQ(*rows, twin.rows());
    auto read = (*model)->log().Read(0, [](const Example& example) {
      EXPECT_EQ(example.features, ToyExample(example.seq).features);
      return true;
    });
    uint64_t walked = 0;
    if (read) {
      read = WalkExamples((*model)->database(),
                          [&walked](const StoredExample& stored) { return stored.seq == ++walked; });
    }
    EXPECT_EQ(walked, read ? GetParam() : walked);
    return read;
  };
  uint64_t reads = 0;
  {
    const FaultyDisk disk;
    ASSERT_TRUE(Succeeded(read_all()));
    reads = disk.Count(DiskWork::kRead);
  }
  int noticed = 0;
  for (uint64_t n = 1; n <= reads; ++n) {
    SCOPED_TRACE(n);
    {
      FaultyDisk disk;
      disk.FailFrom(DiskWork::kRead, n, IOStatus::IOError("unreadable"));
      EXPECT_TRUE(FailedWith(ErrorKind::kIo, read_all()));
    }
    FaultyDisk disk;
    disk.FlipBitInRead(n);
    if (const auto read = read_all(); !read) {
      // kIo: RocksDB did not say what is wrong, and a second attempt succeeds.
      EXPECT_TRUE(read.error().kind == ErrorKind::kCorrupt || read.error().kind == ErrorKind::kIo)
          << read.error().message;
      ++noticed;
    }
  }
  EXPECT_GT(noticed, 0);
}

INSTANTIATE_TEST_SUITE_P(Runs, FaultyReadTest, testing::Values(300, 400));

}  // namespace
}  // namespace thresher::storage

// Kills a process that trains a model at random moments; the recovered model must be the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/database_impl.h"
#include "tests/rounds.h"
#include "tests/storage/child_process.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/storage/whole_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

// Checks that `model` holds the same as `twin` after the same number of examples.
void CheckAgainst(ToyModel& model, ToyTwin& twin) {
  ASSERT_EQ(model.applied_seq(), model.log().last_seq());
  ExpectWhole(model, twin);
  std::vector<uint64_t> ids;
  for (const auto& [id, row] : twin.rows()) ids.push_back(id);
  const auto texts = model.weights().Texts(ids);
  ASSERT_TRUE(Succeeded(texts));
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ((*texts)[i], ToyText(ids[i]));
}

bool IsNumber(const std::string& line) {
  return !line.empty() && line.find_first_not_of("0123456789") == std::string::npos;
}

// The last example that a process acknowledged, from the lines it printed; 0 if none.
uint64_t LastAcknowledged(const std::vector<std::string>& lines) {
  uint64_t last = 0;
  for (const std::string& line : lines) {
    EXPECT_FALSE(line.starts_with("error") || line.starts_with("went")) << line;
    if (IsNumber(line)) last = std::stoull(line);
  }
  return last;
}

size_t TablesIn(const fs::path& dir) {
  size_t tables = 0;
  for (const auto& entry : fs::directory_iterator(dir / "db")) tables += entry.path().extension() == ".sst";
  return tables;
}

// The next writer has removed the unfinished files of a killed writer.
void CheckNothingIsLeftOver(const fs::path& dir, ToyModel& model) {
  EXPECT_FALSE(fs::exists(dir / "db.add"));
  ASSERT_TRUE(Succeeded(model.database().Compact()));
  std::vector<rocksdb::LiveFileMetaData> live;
  DatabaseAccess::ImplOf(model.database()).rocks().GetLiveFilesMetaData(&live);
  EXPECT_EQ(TablesIn(dir), live.size());
}

// Starts a process, reads its lines with `run`, kills it, and recovers; repeats this with the same model.
void KillAndRecover(const std::string& command, const std::string& durability, uint64_t seed, int rounds,
                    const std::function<std::vector<std::string>(ChildProcess&, std::mt19937_64&)>& run) {
  const TestDirectory scratch;
  std::mt19937_64 random(seed);
  ToyTwin twin;
  for (int round = 0; round < Rounds(rounds) && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    uint64_t acknowledged = 0;
    {
      ChildProcess child({command, scratch.model().string(), durability});
      std::vector<std::string> lines = run(child, random);
      const std::vector<std::string> unread = child.KillAndDrain();
      lines.insert(lines.end(), unread.begin(), unread.end());
      acknowledged = LastAcknowledged(lines);
    }
    // Sometimes the next child recovers, sometimes this process does.
    if (random() % 2 == 0) continue;
    const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_GE((*model)->log().last_seq(), acknowledged);
    CheckAgainst(**model, twin);
    if (random() % 2 == 0) {
      ASSERT_TRUE(Succeeded((*model)->Checkpoint(random() % 2 == 0 ? Way::kTables : Way::kBatch)));
    }
  }
  const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
  ASSERT_TRUE(Succeeded(model));
  CheckAgainst(**model, twin);
  CheckNothingIsLeftOver(scratch.model(), **model);
}

std::vector<std::string> ReadSomeLines(ChildProcess& child, std::mt19937_64& random) {
  std::vector<std::string> lines(random() % 300);
  for (std::string& line : lines) line = child.ReadLine();
  return lines;
}

// Reads until some time after the process began a checkpoint, or began to close.
std::vector<std::string> WaitForAnEvent(ChildProcess& child, std::mt19937_64& random) {
  std::vector<std::string> lines;
  for (uint64_t events = 1 + random() % 5; events > 0; events -= IsNumber(lines.back()) ? 0 : 1) {
    lines.push_back(child.ReadLine());
    if (lines.back().empty()) break;
  }
  std::this_thread::sleep_for(std::chrono::microseconds(std::min(random() % 10000, random() % 10000)));
  return lines;
}

TEST(CrashTest, NothingAcknowledgedIsLostToAKill) { KillAndRecover("teach", "os", 1, 14, ReadSomeLines); }
TEST(CrashTest, NothingAcknowledgedIsLostToAKillWhenSyncing) {
  KillAndRecover("teach", "sync", 2, 6, ReadSomeLines);
}
TEST(CrashTest, NothingIsLostToAKillInACheckpointOrAtClosing) {
  KillAndRecover("visit", "os", 3, 24, WaitForAnEvent);
}

// Cuts the log of a running writer anywhere, as a crash of the machine does with writes that were not synced.
TEST(CrashTest, ATornLogIsRecoveredUpToItsLastWholeRecord) {
  const TestDirectory scratch;
  const auto writer = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
  ASSERT_TRUE(Succeeded(writer));
  const auto newest_log = [&] {
    fs::path log;
    for (const auto& entry : fs::directory_iterator(scratch.model() / "db")) {
      if (entry.path().extension() == ".log") log = std::max(log, entry.path());
    }
    return log;
  };
  uint64_t synced = 0;
  for (int taught = 1; taught <= 120; ++taught) {
    ASSERT_TRUE(Succeeded((*writer)->Learn()));
    if (taught != 50) continue;
    ASSERT_TRUE(Succeeded((*writer)->Checkpoint(Way::kTables)));
    synced = fs::file_size(newest_log());
  }
  const fs::path log = newest_log();
  const auto whole = fs::file_size(log);
  ASSERT_GT(whole, synced);
  std::mt19937_64 random(4);
  uint64_t shortest = UINT64_MAX;
  for (int cut = 0; cut < Rounds(20) && !HasFailure(); ++cut) {
    const TestDirectory copy;
    fs::copy(scratch.model(), copy.model(), fs::copy_options::recursive);
    fs::resize_file(copy.model() / "db" / log.filename(), synced + random() % (whole - synced + 1));
    const auto reader = ToyModel::OpenForReading(copy.model());
    ASSERT_TRUE(Succeeded(reader));
    ToyTwin twin;
    // Writing can go on: later examples come after the torn end of the log and are not lost with it.
    for (int session = 0; session < 3; ++session) {
      const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kOs);
      ASSERT_TRUE(Succeeded(model));
      if (session == 0) {
        EXPECT_EQ((*reader)->log().last_seq(), (*model)->log().last_seq());
        shortest = std::min(shortest, (*model)->log().last_seq());
      } else {
        EXPECT_EQ((*model)->log().last_seq(), twin.seq());
      }
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
      if (session == 1) {
        ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
      }
      CheckAgainst(**model, twin);
    }
  }
  EXPECT_GE(shortest, 50U);   // files hold what was before
  EXPECT_LT(shortest, 120U);  // the cuts did cut
}

}  // namespace
}  // namespace thresher::storage

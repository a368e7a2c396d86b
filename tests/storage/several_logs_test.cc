// Damages each of several logs, as writers leave them that are killed: readers and --cut-log get back an
// earlier state that is complete, with everything before the damage, and a writer refuses the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "tests/storage/faulty_disk.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/storage/whole_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uint64_t kInTables = 30;
constexpr uint64_t kInEachLog = 6;
constexpr int kLogs = 4;
constexpr uint64_t kLast = kInTables + kLogs * kInEachLog;

struct Record {
  uint64_t begin;
  uint64_t end;
};

struct Log {
  fs::path name;
  uint64_t first_seq = 0;
  std::vector<Record> records;  // one for each example
};

fs::path NewestLog(const fs::path& dir) {
  fs::path newest;
  for (const auto& entry : fs::directory_iterator(dir / "db")) {
    if (entry.path().extension() == ".log") newest = std::max(newest, entry.path());
  }
  return newest;
}

std::string BytesOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A copy of a model that is being written is what a kill leaves.
class SeveralLogsTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::path from = scratch_.path() / "made";
    const auto model = ToyModel::OpenOrCreate(from, Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    while ((*model)->log().last_seq() < kInTables) ASSERT_TRUE(Succeeded((*model)->Learn()));
    ASSERT_TRUE(Succeeded((*model)->Checkpoint(Way::kTables)));
    ASSERT_TRUE(Succeeded((*model)->database().Compact()));
    fs::copy(from, whole_, fs::copy_options::recursive);
    for (int i = 0; i < kLogs; ++i) AddLog();
    ASSERT_EQ(LastOf(whole_), kLast);
  }

  void AddLog() {
    const fs::path copy = scratch_.path() / "copy";
    {
      const auto model = ToyModel::OpenOrCreate(whole_, Durability::kSync);
      ASSERT_TRUE(Succeeded(model));
      Log log{
          .name = NewestLog(whole_).filename(), .first_seq = (*model)->log().last_seq() + 1, .records = {}};
      for (uint64_t i = 0; i < kInEachLog; ++i) {
        const uint64_t begin = fs::file_size(NewestLog(whole_));
        ASSERT_TRUE(Succeeded((*model)->Learn()));
        log.records.push_back({begin, fs::file_size(NewestLog(whole_))});
      }
      logs_.push_back(log);
      fs::copy(whole_, copy, fs::copy_options::recursive);
    }
    fs::remove_all(whole_);
    fs::rename(copy, whole_);
  }

  // Checks that a reader gets a complete state; returns its last example.
  static uint64_t LastOf(const fs::path& dir) {
    const auto reader = ToyModel::OpenForReading(dir);
    EXPECT_TRUE(Succeeded(reader));
    if (!reader) return 0;
    ExpectWhole(**reader);
    return (*reader)->log().last_seq();
  }

  // What follows from damage to `log` after which the examples up to `least` must still be there.
  void Expect(const Log& log, uint64_t least, const std::function<void(const fs::path& file)>& damage) {
    const fs::path dir = scratch_.path() / "damaged";
    fs::remove_all(dir);
    fs::copy(whole_, dir, fs::copy_options::recursive);
    damage(dir / "db" / log.name);
    const uint64_t last = LastOf(dir);
    EXPECT_GE(last, least);
    EXPECT_LT(last, log.first_seq + kInEachLog);
    const auto whole = Database::CheckLog(dir);
    const auto refused = ToyModel::OpenOrCreate(dir, Durability::kSync);
    ASSERT_TRUE(FailedWith(ErrorKind::kCorrupt, refused));
    ASSERT_TRUE(FailedWith(ErrorKind::kCorrupt, whole));
    EXPECT_EQ(whole.error().message, refused.error().message);
    const auto given_up = Database::GiveUpLostExamples(dir, std::chrono::seconds(1));
    ASSERT_TRUE(Succeeded(given_up));
    EXPECT_EQ(given_up->last_left, last);
    if (log.name != logs_.back().name) {  // of the newest one nothing may be left that names examples
      EXPECT_EQ(given_up->last_lost, kLast);
      EXPECT_THAT(refused.error().message, HasSubstr("examples " + std::to_string(last + 1) + " to " +
                                                     std::to_string(kLast) + " that were on disk"));
    }
    // Writing goes on, and what is written is there for the next ones.
    for (int session = 0; session < 3; ++session) {
      const auto model = ToyModel::OpenOrCreate(dir, Durability::kSync);
      ASSERT_TRUE(Succeeded(model));
      EXPECT_EQ((*model)->log().last_seq(), last + static_cast<uint64_t>(session) * 2);
      for (int i = 0; i < 2; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
      ToyTwin twin;
      twin.LearnUpTo((*model)->log().last_seq());
      EXPECT_EQ((*model)->Rows(), twin.rows());
    }
    EXPECT_TRUE(Succeeded(Database::CheckLog(dir)));
  }

  const FaultyDisk disk_;  // it does not sync the real one, which would take a minute
  TestDirectory scratch_;
  fs::path whole_ = scratch_.path() / "whole";
  std::vector<Log> logs_;
};

TEST_F(SeveralLogsTest, AFlippedBitAnywhereInARecord) {
  constexpr uint64_t kHeader = 7;  // checksum, length, type
  for (const Log& log : logs_) {
    for (const size_t i : {size_t{0}, log.records.size() / 2, log.records.size() - 1}) {
      const Record record = log.records[i];
      for (const uint64_t at : {record.begin, record.begin + 4, record.begin + 5, record.begin + 6,
                                record.begin + kHeader, (record.begin + record.end) / 2, record.end - 1}) {
        SCOPED_TRACE(testing::Message() << log.name << ", record " << i << ", byte " << at - record.begin);
        Expect(log, log.first_seq - 1 + i, [at](const fs::path& file) {
          std::string bytes = BytesOf(file);
          bytes[at] = static_cast<char>(bytes[at] ^ 16);
          std::ofstream(file, std::ios::binary) << bytes;
        });
      }
    }
  }
}

TEST_F(SeveralLogsTest, ACutAnywhere) {
  for (const Log& log : logs_) {
    for (const size_t i : {size_t{0}, log.records.size() / 2, log.records.size() - 1}) {
      const Record record = log.records[i];
      for (const uint64_t size :
           {record.begin, record.begin + 3, (record.begin + record.end) / 2, record.end - 1}) {
        SCOPED_TRACE(testing::Message() << log.name << ", record " << i << ", cut to " << size);
        Expect(log, log.first_seq - 1 + i, [size](const fs::path& file) { fs::resize_file(file, size); });
      }
    }
  }
}

TEST_F(SeveralLogsTest, AZeroedStretch) {
  for (const Log& log : logs_) {
    for (const size_t i : {size_t{0}, log.records.size() / 2, log.records.size() - 1}) {
      const Record record = log.records[i];
      for (const uint64_t begin : {record.begin, (record.begin + record.end) / 2}) {
        SCOPED_TRACE(testing::Message() << log.name << ", record " << i << ", zero from " << begin);
        Expect(log, log.first_seq - 1 + i, [begin](const fs::path& file) {
          std::string bytes = BytesOf(file);
          const uint64_t end = std::min<uint64_t>(begin + 512, bytes.size());
          std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                    bytes.begin() + static_cast<std::ptrdiff_t>(end), '\0');
          std::ofstream(file, std::ios::binary) << bytes;
        });
      }
    }
  }
}

TEST_F(SeveralLogsTest, OneIsMissing) {
  for (const Log& log : logs_) {
    SCOPED_TRACE(log.name);
    Expect(log, log.first_seq - 1, [](const fs::path& file) { fs::remove(file); });
  }
}

// What a kill within the first write leaves, where all earlier logs have become tables. RocksDB then knows of
// no change in the log, and uses none that follows.
TEST(TornLogTest, WithoutAWholeRecordHidesNothingThatFollows) {
  const TestDirectory scratch;
  const fs::path torn = scratch.path() / "torn";
  constexpr uint64_t kTaught = 5;
  {
    const auto model = ToyModel::OpenOrCreate(torn, Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    while ((*model)->log().last_seq() < kTaught) ASSERT_TRUE(Succeeded((*model)->Learn()));
    ASSERT_TRUE(Succeeded((*model)->Checkpoint(Way::kTables)));
    ASSERT_TRUE(Succeeded((*model)->database().Compact()));
  }
  const fs::path more = scratch.path() / "more";
  fs::copy(torn, more, fs::copy_options::recursive);
  {
    const auto model = ToyModel::OpenOrCreate(more, Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    ASSERT_TRUE(Succeeded((*model)->Learn()));
    const fs::path log = NewestLog(more);
    std::ofstream(torn / "db" / log.filename(), std::ios::binary) << BytesOf(log).substr(0, 20);
  }
  const fs::path killed = scratch.path() / "killed";
  uint64_t taught = kTaught;
  {  // one that adds nothing
    ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(torn, Durability::kSync)));
  }
  for (int session = 0; session < 6; ++session) {
    const auto model = ToyModel::OpenOrCreate(torn, Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    ASSERT_EQ((*model)->log().last_seq(), taught);
    ASSERT_TRUE(Succeeded((*model)->Learn()));
    ++taught;
    fs::remove_all(killed);
    fs::copy(torn, killed, fs::copy_options::recursive);
    const auto reader = ToyModel::OpenForReading(killed);
    ASSERT_TRUE(Succeeded(reader));
    EXPECT_EQ((*reader)->log().last_seq(), taught);
  }
  EXPECT_TRUE(Succeeded(Database::CheckLog(torn)));
}

TEST(ClosedStoreTest, LeavesAtMostOneLog) {
  const TestDirectory scratch;
  for (int session = 0; session < 9; ++session) {
    {
      const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kGroup);
      ASSERT_TRUE(Succeeded(model));
      for (int i = 0; i < session % 3; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
    }
    int logs = 0;
    for (const auto& entry : fs::directory_iterator(scratch.model() / "db"))
      logs += entry.path().extension() == ".log" ? 1 : 0;
    EXPECT_LE(logs, 1) << session;
  }
}

// What the model is does not depend on its log.
TEST(ClosedStoreTest, OfANewModelTheLogMayBeLost) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kSync)));
  for (const auto& entry : fs::directory_iterator(scratch.model() / "db"))
    if (entry.path().extension() == ".log") fs::remove(entry.path());
  const auto reader = ToyModel::OpenForReading(scratch.model());
  ASSERT_TRUE(Succeeded(reader));
  EXPECT_EQ((*reader)->database().meta().at("learner"), "toy");
  EXPECT_TRUE(Succeeded(Database::CheckLog(scratch.model())));
}

}  // namespace
}  // namespace thresher::storage

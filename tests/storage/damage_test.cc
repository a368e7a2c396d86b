// Changes bytes of a store: reading gives what was stored, or reports that the store is corrupt.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "storage/database_impl.h"
#include "tests/rounds.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kExamples = 600;

// Makes a closed store whose state is spread over several files.
void MakeStore(const fs::path& dir) {
  for (uint64_t session = 0; session < 3; ++session) {
    const auto model = ToyModel::OpenOrCreate(dir, Durability::kOs);
    ASSERT_TRUE(Succeeded(model));
    while ((*model)->log().last_seq() < kExamples * (session + 1) / 3)
      ASSERT_TRUE(Succeeded((*model)->Learn()));
    ASSERT_TRUE(Succeeded((*model)->Checkpoint(session == 1 ? Way::kTables : Way::kBatch)));
    if (session == 0) {
      ASSERT_TRUE(Succeeded((*model)->database().Compact()));
    }
  }
}

std::vector<fs::path> Files(const fs::path& dir) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(dir / "db")) {
    if (entry.file_size() > 0) files.push_back(entry.path().filename());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Reads everything; succeeds only if it is the state after some number of examples.
Result<uint64_t> ReadAll(const fs::path& dir) {
  const auto reader = ToyModel::OpenForReading(dir);
  if (!reader) return tl::unexpected(reader.error());
  ToyTwin twin;
  twin.LearnUpTo((*reader)->applied_seq());
  const auto rows = (*reader)->Rows();
  if (!rows) return tl::unexpected(rows.error());
  EXPECT_EQ(*rows, twin.rows());
  std::vector<uint64_t> ids;
  for (const auto& [id, row] : twin.rows()) ids.push_back(id);
  const auto texts = (*reader)->weights().Texts(ids);
  if (!texts) return tl::unexpected(texts.error());
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ((*texts)[i], ToyText(ids[i]));
  uint64_t seen = 0;
  auto read = (*reader)->log().Read(0, [&](const Example& example) {
    EXPECT_EQ(example.seq, ++seen);
    EXPECT_EQ(example.features, ToyExample(seen).features);
    return true;
  });
  if (!read) return tl::unexpected(read.error());
  EXPECT_GE(seen, twin.seq());
  return twin.seq();
}

void Flip(const fs::path& file, std::mt19937_64& random) {
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto at = static_cast<std::streamoff>(random() % fs::file_size(file));
  bytes.seekg(at);
  const auto flipped = static_cast<char>(bytes.get() ^ (1 << random() % 8));
  bytes.seekp(at);
  bytes.put(flipped);
}

void FlipAt(const fs::path& file, uint64_t at) {
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekg(static_cast<std::streamoff>(at));
  const auto flipped = static_cast<char>(bytes.get() ^ 16);
  bytes.seekp(static_cast<std::streamoff>(at));
  bytes.put(flipped);
}

class DamageTest : public testing::Test {
 protected:
  void SetUp() override {
    MakeStore(whole_.model());
    ASSERT_EQ(ReadAll(whole_.model()), kExamples);
    Reset();
  }
  void Reset() {
    fs::remove_all(copy_.model());
    fs::copy(whole_.model(), copy_.model(), fs::copy_options::recursive);
  }
  fs::path Copied(const fs::path& name) const { return copy_.model() / "db" / name; }

  TestDirectory whole_;
  TestDirectory copy_;
};

TEST_F(DamageTest, AFlippedBitIsFoundOrHarmless) {
  std::mt19937_64 random(1);
  std::map<std::string, int> found;
  for (int trial = 0; trial < Rounds(12); ++trial) {
    for (const fs::path& name : Files(whole_.model())) {
      SCOPED_TRACE(name.string() + " in trial " + std::to_string(trial));
      Flip(Copied(name), random);
      const auto read = ReadAll(copy_.model());
      if (!read) {
        EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, read));
        ++found[name.extension()];
      } else if (*read < kExamples) {  // an earlier, complete state
        EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, Database::CheckLog(copy_.model())));
      }
      fs::copy_file(whole_.model() / "db" / name, Copied(name), fs::copy_options::overwrite_existing);
    }
  }
  EXPECT_GT(found[".sst"], 0);
  EXPECT_GT(found[""], 0);
}

TEST_F(DamageTest, AMissingOrShortenedFileIsFoundOrHarmless) {
  for (const fs::path& name : Files(whole_.model())) {
    for (const bool remove : {true, false}) {
      SCOPED_TRACE(name.string() + (remove ? " removed" : " cut"));
      if (remove) {
        fs::remove(Copied(name));
      } else {
        fs::resize_file(Copied(name), fs::file_size(Copied(name)) / 2);
      }
      const auto read = ReadAll(copy_.model());
      const bool is_data = name.extension() == ".sst" || name == "CURRENT";
      if (!read || is_data) {
        EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, read));
      } else if (*read < kExamples) {
        EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, Database::CheckLog(copy_.model())));
      }
      Reset();
    }
  }
}

struct Extent {
  uint64_t last_seq;
  uint64_t applied_seq;
  bool operator==(const Extent&) const = default;
};
Result<Extent> ReadExtent(const fs::path& dir) {
  const auto reader = ToyModel::OpenForReading(dir);
  if (!reader) return tl::unexpected(reader.error());
  return Extent{(*reader)->log().last_seq(), (*reader)->applied_seq()};
}

// Its last records name the files of a flush, of compactions, or of a checkpoint. Damage to them looks like a
// crash while they were written, but for the marks of what was on disk.
TEST(DamagedListTest, IsFoundOrHarmless) {
  const std::map<std::string, std::function<Result<void>(ToyModel&)>> acts = {
      {"flush",
       [](ToyModel& model) { return DatabaseAccess::ImplOf(model.database()).Flush(/*wait=*/true); }},
      {"compaction", [](ToyModel& model) { return model.database().Compact(); }},
      {"checkpoint", [](ToyModel& model) { return model.Checkpoint(Way::kTables); }}};
  for (const auto& [name, act] : acts) {
    const TestDirectory whole;
    {
      const auto model = ToyModel::OpenOrCreate(whole.model(), Durability::kOs);
      ASSERT_TRUE(Succeeded(model));
      for (int i = 0; i < 30; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
      ASSERT_TRUE(Succeeded(act(**model)));
    }
    const auto extent = ReadExtent(whole.model());
    ASSERT_TRUE(Succeeded(extent));
    const auto files = Files(whole.model());
    const auto list = std::find_if(files.begin(), files.end(), [](const fs::path& file) {
      return file.string().starts_with("MANIFEST");
    });
    ASSERT_NE(list, files.end());
    const uint64_t bytes = fs::file_size(whole.model() / "db" / *list);
    int refused = 0;
    int shortened = 0;  // the length of a record became so large that it looks cut
    for (uint64_t at = 0; at < bytes; at += at + 500 < bytes ? 41 : 11) {
      SCOPED_TRACE(testing::Message() << name << ": " << at << " of " << bytes);
      const TestDirectory copy;
      fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
      FlipAt(copy.model() / "db" / *list, at);
      const auto read = ReadExtent(copy.model());
      if (read == *extent) continue;
      ++(read ? shortened : refused);
      EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, Database::CheckLog(copy.model())));
      EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, ToyModel::OpenOrCreate(copy.model(), Durability::kOs)));
      EXPECT_EQ(Files(copy.model()), files);
    }
    EXPECT_GT(refused, 9 * shortened);
  }
}

TEST_F(DamageTest, AWriterDoesNotMakeANewModelOfADamagedOne) {
  fs::remove(Copied("CURRENT"));
  const auto before = Files(copy_.model());
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, ToyModel::OpenOrCreate(copy_.model(), Durability::kOs)));
  EXPECT_EQ(Files(copy_.model()), before);
}

TEST_F(DamageTest, GarbageFilesAreIgnored) {
  for (const char* name : {"garbage", "000000.sst", "999999.sst", "MANIFEST-999997", "LOG"}) {
    std::ofstream(Copied(name)) << "garbage";
  }
  EXPECT_EQ(ReadAll(copy_.model()), kExamples);
  EXPECT_TRUE(Succeeded(ToyModel::OpenOrCreate(copy_.model(), Durability::kOs)));
  EXPECT_EQ(ReadAll(copy_.model()), kExamples);
}

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

TEST(DamagedLogTest, ExamplesThatWereOnDiskAreNotForgottenInSilence) {
  const TestDirectory whole;
  MakeLog(whole.model(), Durability::kSync);
  const uint64_t bytes = fs::file_size(LogOf(whole.model()));
  std::mt19937_64 random(5);
  for (int trial = 0; trial < Rounds(40); ++trial) {
    const uint64_t at = random() % bytes;
    SCOPED_TRACE(at);
    const TestDirectory copy;
    fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
    FlipAt(LogOf(copy.model()), at);
    const auto refused = ToyModel::OpenOrCreate(copy.model(), Durability::kSync);
    ASSERT_TRUE(FailedWith(ErrorKind::kCorrupt, refused));
    EXPECT_EQ(Database::CheckLog(copy.model()).error().message, refused.error().message);
    const auto kept = ReadAll(copy.model());  // readers go on with what comes before
    EXPECT_EQ(kept, kBefore);

    const auto left = Database::GiveUpLostExamples(copy.model(), std::chrono::seconds(1));
    ASSERT_TRUE(Succeeded(left));
    EXPECT_GE(left->last_left, kBefore);
    EXPECT_LT(left->last_left, kInAll);
    EXPECT_TRUE(Succeeded(Database::CheckLog(copy.model())));
    const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    ToyTwin twin;
    twin.LearnUpTo(left->last_left);
    EXPECT_EQ((*model)->Rows(), twin.rows());
    EXPECT_EQ((*model)->Learn(), left->last_left + 1);
  }
}

TEST(DamagedLogTest, WhatWasNeverOnDiskIsATornEnd) {
  const TestDirectory whole;
  MakeLog(whole.model(), Durability::kOs);
  const uint64_t bytes = fs::file_size(LogOf(whole.model()));
  for (uint64_t at = 10; at < bytes; at += bytes / 10) {
    SCOPED_TRACE(at);
    const TestDirectory copy;
    fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
    FlipAt(LogOf(copy.model()), at);
    const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_LT((*model)->log().last_seq(), kInAll);
    ToyTwin twin;
    twin.LearnUpTo((*model)->log().last_seq());
    EXPECT_EQ((*model)->Rows(), twin.rows());
  }
}

// What a crash of the machine leaves: the end of the log never came to the disk.
TEST(DamagedLogTest, ATornEndIsAnEarlierState) {
  const TestDirectory whole;
  MakeLog(whole.model(), Durability::kOs);
  const uint64_t bytes = fs::file_size(LogOf(whole.model()));
  for (uint64_t size = 0; size < bytes; size += bytes / 20) {
    SCOPED_TRACE(size);
    const TestDirectory copy;
    fs::copy(whole.model(), copy.model(), fs::copy_options::recursive);
    fs::resize_file(LogOf(copy.model()), size);
    EXPECT_TRUE(Succeeded(Database::CheckLog(copy.model())));
    const auto model = ToyModel::OpenOrCreate(copy.model(), Durability::kSync);
    ASSERT_TRUE(Succeeded(model));
    EXPECT_LT((*model)->applied_seq(), kInAll);
    const auto left = Database::GiveUpLostExamples(copy.model(), std::chrono::seconds(0));
    EXPECT_TRUE(FailedWith(ErrorKind::kBusy, left));
  }
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

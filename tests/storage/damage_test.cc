// Changes bytes of a store: reading gives what was stored, or reports that the store is corrupt.
#include <gtest/gtest.h>

#include <algorithm>
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
#include "tests/storage/damaged_files.h"
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

void Flip(const fs::path& file, std::mt19937_64& random) {
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto at = static_cast<std::streamoff>(random() % fs::file_size(file));
  bytes.seekg(at);
  const auto flipped = static_cast<char>(bytes.get() ^ (1 << random() % 8));
  bytes.seekp(at);
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

}  // namespace
}  // namespace thresher::storage

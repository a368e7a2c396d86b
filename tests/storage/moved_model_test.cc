// A model that is moved away while it is open, with a backup moved into its place: nothing is written there.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "storage/backup.h"
#include "storage/careful_file_system.h"
#include "storage/database_impl.h"
#include "storage/read_file.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/storage/whole_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kOfBackup = 280;
constexpr uint64_t kOfBoth = 310;

// What each file in it holds.
std::map<std::string, std::string> FilesBelow(const fs::path& dir) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    const auto bytes = entry.is_regular_file() ? ReadWholeFile(entry.path()) : Result<std::string>();
    EXPECT_TRUE(Succeeded(bytes));
    files[entry.path().string()] = bytes.value_or("");
  }
  return files;
}

// The parameter: the durability.
class MovedModelTest : public testing::TestWithParam<Durability> {
 protected:
  void SetUp() override {
    Open();
    Learn(kOfBackup);
    ASSERT_TRUE(Succeeded(model_->Checkpoint(Way::kTables)));
    const fs::path backup = scratch_.path() / "backup";
    ASSERT_TRUE(Succeeded(BackUp(scratch_.model(), backup)));
    // A writer by itself, so that there are logs of other numbers.
    model_.reset();
    Open();
    Learn(kOfBoth);
    ASSERT_TRUE(Succeeded(model_->log().Acknowledge()));
    fs::rename(scratch_.model(), away_);
    fs::rename(backup, scratch_.model());
    before_ = FilesBelow(scratch_.model());
  }

  void Open() {
    auto opened = ToyModel::OpenOrCreate(scratch_.model(), GetParam());
    ASSERT_TRUE(Succeeded(opened));
    model_ = *std::move(opened);
  }
  void Learn(uint64_t up_to) {
    while (model_->applied_seq() < up_to) ASSERT_TRUE(Succeeded(model_->Learn()));
  }
  DatabaseImpl& impl() { return DatabaseAccess::ImplOf(model_->database()); }

  // Of both models.
  void CloseAndExpectBothWhole() {
    model_.reset();
    EXPECT_EQ(FilesBelow(scratch_.model()), before_);
    for (const auto& [dir, examples] : {std::pair(scratch_.model(), kOfBackup), std::pair(away_, kOfBoth)}) {
      const auto model = ToyModel::OpenOrCreate(dir, GetParam());
      ASSERT_TRUE(Succeeded(model)) << dir;
      EXPECT_EQ((*model)->log().last_seq(), examples);
      ExpectWhole(**model);
    }
  }

  TestDirectory scratch_;
  fs::path away_ = scratch_.path() / "away";
  std::unique_ptr<ToyModel> model_;
  std::map<std::string, std::string> before_;
};

INSTANTIATE_TEST_SUITE_P(All, MovedModelTest, testing::Values(Durability::kOs, Durability::kSync));

TEST_P(MovedModelTest, ClosingItTouchesNothingOfWhatTookItsPlace) { CloseAndExpectBothWhole(); }

TEST_P(MovedModelTest, WritesNothing) {
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, model_->log().Append(ToyExample(kOfBoth + 1))));
  for (const Way way : {Way::kBatch, Way::kTables})
    EXPECT_TRUE(FailedWith(ErrorKind::kMissing, model_->Checkpoint(way)));
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, model_->database().AddText("name", "text")));
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, model_->database().Compact()));
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, impl().WithdrawImage()));
  EXPECT_EQ(FilesBelow(scratch_.model()), before_);
  CloseAndExpectBothWhole();
}

// It writes and removes files in threads of its own, whether anything is written meanwhile or not.
TEST_P(MovedModelTest, NeitherDoesRocksDB) {
  rocksdb::FlushOptions options;
  options.allow_write_stall = true;
  EXPECT_FALSE(impl().rocks().Flush(options, impl().family(Family::kExamples)).ok());
  EXPECT_EQ(FilesBelow(scratch_.model()), before_);
  CloseAndExpectBothWhole();
}

TEST_P(MovedModelTest, GoesOnWhenItIsBack) {
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, model_->log().Append(ToyExample(kOfBoth + 1))));
  fs::rename(scratch_.model(), scratch_.path() / "backup");
  fs::rename(away_, scratch_.model());
  Learn(kOfBoth + 1);
  ASSERT_TRUE(Succeeded(model_->Checkpoint(Way::kTables)));
  model_.reset();
  Open();
  EXPECT_EQ(model_->log().last_seq(), kOfBoth + 1);
  ExpectWhole(*model_);
}

// A table that RocksDB has not opened yet is not the one of the same name in the other folder.
TEST(CarefulEnvTest, TouchesNothingOutOfPlace) {
  const TestDirectory scratch;
  const std::string file = scratch.Write("000001.sst", "table");
  const std::string other = scratch / "000002.sst";
  bool is_in_place = true;
  const auto env = CarefulEnv(rocksdb::FileSystem::Default(), [&] { return is_in_place; });
  std::unique_ptr<rocksdb::RandomAccessFile> read;
  std::unique_ptr<rocksdb::WritableFile> written;
  EXPECT_TRUE(env->NewRandomAccessFile(file, &read, {}).ok());
  is_in_place = false;
  const auto refused = env->NewRandomAccessFile(file, &read, {});
  EXPECT_NE(refused.ToString().find("was removed or moved"), std::string::npos) << refused.ToString();
  EXPECT_FALSE(env->NewWritableFile(other, &written, {}).ok());
  EXPECT_FALSE(env->LinkFile(file, other).ok());
  EXPECT_FALSE(env->RenameFile(file, other).ok());
  EXPECT_FALSE(env->DeleteFile(file).ok());
  EXPECT_EQ(FilesBelow(scratch.path()), (std::map<std::string, std::string>{{file, "table"}}));
}

}  // namespace
}  // namespace thresher::storage

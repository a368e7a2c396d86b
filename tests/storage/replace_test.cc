// A model takes the place of another one in one step; what else is in the directory stays.
#include "storage/replace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "storage/backup.h"
#include "storage/score_image.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

// A model that has learned so many examples.
void Make(const fs::path& dir, int examples) {
  const auto model = ToyModel::OpenOrCreate(dir, Durability::kOs);
  ASSERT_TRUE(Succeeded(model));
  for (int i = 0; i < examples; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
  ASSERT_TRUE(Succeeded((*model)->Checkpoint(Way::kBatch)));
}

uint64_t LastOf(const fs::path& dir) {
  const auto model = ToyModel::OpenOrCreate(dir, Durability::kOs);
  EXPECT_TRUE(Succeeded(model));
  EXPECT_TRUE(Succeeded((*model)->Learn()));  // it can be written to
  return (*model)->log().last_seq() - 1;
}

class ReplaceTest : public testing::Test {
 protected:
  TestDirectory directory_;
  const fs::path from_ = directory_.path() / "from";
  const fs::path dir_ = directory_.path() / "model";
};

TEST_F(ReplaceTest, TheModelIsTheOtherOneAndTheRestStays) {
  Make(from_, 30);
  Make(dir_, 7);
  fs::create_directory(dir_ / "spool");
  std::ofstream(dir_ / "spool" / "message") << "kept";
  ASSERT_TRUE(Succeeded(ReplaceBy(from_, dir_)));
  EXPECT_FALSE(ScoreImage::Open(dir_).has_value());  // it was of the model before
  EXPECT_EQ(LastOf(dir_), 30U);
  EXPECT_TRUE(fs::exists(dir_ / "spool" / "message"));
}

TEST_F(ReplaceTest, ThereMayBeNoModel) {
  Make(from_, 30);
  ASSERT_TRUE(Succeeded(ReplaceBy(from_, dir_)));
  EXPECT_EQ(LastOf(dir_), 30U);
  EXPECT_FALSE(Database::CheckExists(from_).has_value());
}

TEST_F(ReplaceTest, WhereNoModelIsExpectedNoneIsReplaced) {
  Make(from_, 30);
  Make(dir_, 7);
  EXPECT_FALSE(PutInto(from_, dir_).has_value());
  EXPECT_EQ(LastOf(from_), 30U);
  EXPECT_EQ(LastOf(dir_), 7U);
  fs::remove_all(dir_);
  ASSERT_TRUE(Succeeded(PutInto(from_, dir_)));
  EXPECT_EQ(LastOf(dir_), 31U);
}

TEST_F(ReplaceTest, ABackupTakesThePlace) {
  Make(dir_, 7);
  ASSERT_TRUE(Succeeded(BackUp(dir_, from_)));
  EXPECT_EQ(LastOf(dir_), 7U);
  ASSERT_TRUE(Succeeded(ReplaceBy(from_, dir_)));
  EXPECT_EQ(LastOf(dir_), 7U);
}

TEST_F(ReplaceTest, NothingIsChangedWhereItCannotBeDone) {
  Make(dir_, 7);
  EXPECT_EQ(ReplaceBy(from_, dir_).error().kind, ErrorKind::kMissing);
  Make(from_, 30);
  {
    const auto writer = ToyModel::OpenOrCreate(dir_, Durability::kOs);
    ASSERT_TRUE(Succeeded(writer));
    EXPECT_EQ(ReplaceBy(from_, dir_).error().kind, ErrorKind::kBusy);
  }
  EXPECT_EQ(LastOf(dir_), 7U);
}

}  // namespace
}  // namespace thresher::storage

// What other users of the machine can do to a store: nothing through links, and a store that they can write
// to is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "storage/backup.h"
#include "storage/new_model.h"
#include "storage/private_directory.h"
#include "storage/replace.h"
#include "storage/score_image.h"
#include "storage/write_file.h"
#include "storage/writer_lock.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t kOther = 65534;

class OthersTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(dir_, Durability::kOs)));
    std::ofstream(victim_) << "precious";
  }
  std::string Victim() const {
    std::ifstream in(victim_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  auto Write() const { return ToyModel::OpenOrCreate(dir_, Durability::kOs); }

  TestDirectory scratch_;
  fs::path dir_ = scratch_.model();
  fs::path victim_ = scratch_.path() / "victim";
};

TEST_F(OthersTest, ALinkInThePlaceOfTheLockFileIsNotWrittenTo) {
  for (const bool symbolic : {true, false}) {
    fs::remove(dir_ / "writer");
    if (symbolic) {
      fs::create_symlink(victim_, dir_ / "writer");
    } else {
      fs::create_hard_link(victim_, dir_ / "writer");
    }
    const auto refused = Write();
    ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
    EXPECT_THAT(refused.error().message, HasSubstr("writer"));
    EXPECT_THAT(refused.error().message, HasSubstr("remove it"));
    EXPECT_EQ(Victim(), "precious");
  }
  fs::remove(dir_ / "writer");
  EXPECT_TRUE(Succeeded(Write()));
}

TEST_F(OthersTest, ALinkInThePlaceOfANewFileIsReplaced) {
  fs::create_symlink(victim_, dir_ / "image.new");
  {
    const auto model = Write();
    ASSERT_TRUE(Succeeded((*model)->Learn()));
    ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
  }
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(dir_ / "image")));
  EXPECT_EQ(Victim(), "precious");
  fs::create_symlink(victim_, dir_ / "new");
  EXPECT_TRUE(WritePrivateFile(dir_ / "new", "text"));
  EXPECT_EQ(Victim(), "precious");
}

TEST_F(OthersTest, ALinkInThePlaceOfAFileIsNotFollowed) {
  fs::remove(dir_ / "db" / "SYNCED");
  fs::create_symlink(victim_, dir_ / "db" / "SYNCED");
  EXPECT_FALSE(Write().has_value());
  EXPECT_EQ(Victim(), "precious");
  fs::remove(dir_ / "db" / "SYNCED");
  {
    const auto model = Write();
    ASSERT_TRUE(Succeeded(model));
    ASSERT_TRUE(Succeeded((*model)->Learn()));
    ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
  }
  ASSERT_TRUE(ScoreImage::Open(dir_).has_value());
  fs::rename(dir_ / "image", scratch_.path() / "elsewhere");
  fs::create_symlink(scratch_.path() / "elsewhere", dir_ / "image");
  EXPECT_FALSE(ScoreImage::Open(dir_).has_value());
}

TEST_F(OthersTest, APrivateDirectoryIsItsOwnersWhateverTheUmask) {
  for (const mode_t mask : {0U, 0777U}) {
    const fs::path made = scratch_.path() / ("private" + std::to_string(mask));
    const mode_t before = ::umask(mask);
    EXPECT_TRUE(Succeeded(MakePrivateDirectory(made)));
    ::umask(before);
    EXPECT_EQ(fs::status(made).permissions(), fs::perms::owner_all);
  }
}

TEST_F(OthersTest, ASubdirectoryIsNotMadeWithItsParents) {
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, MakePrivateSubdirectory(scratch_.path() / "gone" / "spool")));
  EXPECT_FALSE(fs::exists(scratch_.path() / "gone"));
}

TEST_F(OthersTest, WhatOthersMayWriteIsRefused) {
  fs::create_directory(dir_ / "spool");
  for (const char* part : {"", "db", "spool"}) {
    for (const fs::perms whose : {fs::perms::group_write, fs::perms::others_write}) {
      SCOPED_TRACE(part);
      const fs::path path = *part == '\0' ? dir_ : dir_ / part;
      fs::permissions(path, whose, fs::perm_options::add);
      const auto refused = Write();
      ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
      EXPECT_THAT(refused.error().message, HasSubstr("chmod go-w " + path.string()));
      EXPECT_TRUE(FailedWith(ErrorKind::kDenied, ToyModel::OpenForReading(dir_)));
      EXPECT_TRUE(FailedWith(ErrorKind::kDenied, MakePrivateDirectory(path)));
      fs::permissions(path, whose, fs::perm_options::remove);
      EXPECT_TRUE(Succeeded(Write()));
      EXPECT_TRUE(Succeeded(ToyModel::OpenForReading(dir_)));
    }
  }
}

// As /tmp is: there only the owner can rename or remove the store.
TEST_F(OthersTest, AStoreOfOnesOwnInASharedDirectoryIsUsed) {
  fs::permissions(scratch_.path(), fs::perms::all | fs::perms::sticky_bit);
  EXPECT_TRUE(Succeeded(Write()));
  EXPECT_TRUE(Succeeded(BackUp(dir_, scratch_.path() / "backup")));
}

TEST_F(OthersTest, OnlyTheOwnerWrites) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
  fs::create_directory(dir_ / "spool");
  for (const char* part : {"", "db", "spool"}) {
    const fs::path path = *part == '\0' ? dir_ : dir_ / part;
    ASSERT_EQ(::chown(path.c_str(), kOther, kOther), 0);
    const auto refused = Write();
    ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
    EXPECT_THAT(refused.error().message, HasSubstr(path.string() + " belongs to "));
    EXPECT_THAT(refused.error().message,
                HasSubstr(path == dir_ ? "Run the command as " : "(`chown -R root " + path.string() + "`)"));
    EXPECT_TRUE(FailedWith(ErrorKind::kDenied, Database::GiveUpLostExamples(dir_, std::chrono::seconds(0))));
    EXPECT_TRUE(Succeeded(ToyModel::OpenForReading(dir_)));
    ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  }
  EXPECT_TRUE(Succeeded(Write()));
}

// Root could write, but its owner could not use the model any more.
TEST_F(OthersTest, NothingIsMadeInTheModelOfAnother) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give a folder away";
  ASSERT_EQ(::chown(dir_.c_str(), kOther, kOther), 0);
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, MakePrivateSubdirectory(dir_ / "spool")));
  EXPECT_FALSE(fs::exists(dir_ / "spool"));
}

TEST_F(OthersTest, RootMakesNoModelInTheStoreOfAnother) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give a folder away";
  const fs::path store = scratch_.path() / "store";
  fs::create_directory(store);
  ASSERT_EQ(::chown(store.c_str(), kOther, kOther), 0);
  const auto make = [&](const char* name) { return ToyModel::OpenOrCreate(store / name, Durability::kOs); };
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, make("a")));
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, NewModel::Begin(store / "a")));
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, PutInto(dir_, store / "a")));
  EXPECT_TRUE(fs::is_empty(store));
  EXPECT_TRUE(Succeeded(BackUp(dir_, store / "backup")));
  fs::permissions(store, fs::perms::all | fs::perms::sticky_bit);
  EXPECT_TRUE(Succeeded(make("a")));
  ASSERT_EQ(::chown(store.c_str(), 0, 0), 0);
  fs::permissions(store, fs::perms::owner_all);
  EXPECT_TRUE(Succeeded(make("b")));
}

}  // namespace
}  // namespace thresher::storage

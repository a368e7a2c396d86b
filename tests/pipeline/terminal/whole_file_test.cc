// What was there stays until all is written, and nobody gets a mixture.
#include "pipeline/terminal/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
 protected:
  TestDirectory directory_;
  std::string path_ = directory_.Write("file", "before");
};

TEST_F(WholeFileTest, TakesThePlaceOfTheOneBeforeWhenItIsComplete) {
  directory_.Write("file.new", "what a killed run left, which is longer");
  auto file = WholeFile::Open(path_);
  ASSERT_TRUE(file.has_value());
  file->Write(std::string(100000, 'a'));
  EXPECT_EQ(ReadBytes(path_), "before");
  WholeFile moved = *std::move(file);
  moved.Write("b");
  ASSERT_TRUE(moved.Close().has_value());
  EXPECT_EQ(ReadBytes(path_), std::string(100000, 'a') + "b");
  EXPECT_FALSE(fs::exists(path_ + ".new"));
}

TEST_F(WholeFileTest, IsNotThereIfItIsNotComplete) {
  for (const std::string& path : {path_, directory_ / "none"}) {
    auto file = WholeFile::Open(path);
    ASSERT_TRUE(file.has_value());
    file->Write("incomplete");
  }
  EXPECT_EQ(ReadBytes(path_), "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_.path()), {}), 1);
}

TEST_F(WholeFileTest, LeavesAFileOfThatNameThatItNeverWroteTo) {
  directory_.Write("file.new", "a user's");
  EXPECT_TRUE(WholeFile::Open(path_).has_value());
  EXPECT_EQ(ReadBytes(path_ + ".new"), "a user's");
}

TEST_F(WholeFileTest, StaysBesideIfItCannotTakeItsPlace) {
  auto file = WholeFile::Open(path_);
  ASSERT_TRUE(file.has_value());
  file->Write("after");
  fs::remove(path_);
  fs::create_directory(path_);
  const auto closed = file->Close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_THAT(closed.error().message, testing::HasSubstr(path_ + ".new has all of it"));
  EXPECT_EQ(ReadBytes(path_ + ".new"), "after");
}

TEST_F(WholeFileTest, IsCalledAsTheUserCallsIt) {
  const std::string path = directory_ / "none/file";
  EXPECT_EQ(WholeFile::Open(path).error().message, path + ": No such file or directory");
  fs::create_directory(path_ + ".new");
  EXPECT_EQ(WholeFile::Open(path_).error().message, path_ + ".new: Is a directory");
}

TEST_F(WholeFileTest, BelongsToTheOwnerOfTheOneBefore) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  ASSERT_EQ(::chown(path_.c_str(), 65534, 65533), 0);
  ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
  auto file = WholeFile::Open(path_);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->Close().has_value());
  struct stat after {};
  ASSERT_EQ(::stat(path_.c_str(), &after), 0);
  EXPECT_EQ(after.st_uid, 65534U);
  EXPECT_EQ(after.st_gid, 65533U);
  EXPECT_EQ(after.st_mode & 0777U, 0640U);
}

TEST_F(WholeFileTest, IsWrittenByOneAtATime) {
  std::optional<Result<WholeFile>> first = WholeFile::Open(path_);
  ASSERT_TRUE(first->has_value());
  const auto second = WholeFile::Open(path_);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().exit_code, kBusy);
  EXPECT_TRUE(fs::exists(path_ + ".new"));
  first.reset();
  EXPECT_TRUE(WholeFile::Open(path_).has_value());
}

TEST_F(WholeFileTest, IsWhereALinkLeads) {
  fs::create_symlink("file", directory_ / "link");
  auto file = WholeFile::Open(directory_ / "link");
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->Close().has_value());
  EXPECT_TRUE(fs::is_symlink(directory_ / "link"));
  EXPECT_EQ(ReadBytes(path_), "");
  fs::create_symlink("elsewhere", path_ + ".new");
  EXPECT_EQ(WholeFile::Open(path_).error().exit_code, kCantCreate);
  EXPECT_FALSE(fs::exists(directory_ / "elsewhere"));
}

TEST_F(WholeFileTest, WhoMayReadItStaysAsItIs) {
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
  auto file = WholeFile::Open(path_);
  file->Write("after");
  ASSERT_TRUE(file->Close().has_value());
  EXPECT_EQ(ReadBytes(path_), "after");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WholeFileTest, MayBeForItsOwnerOnly) {
  fs::permissions(path_, fs::perms::all);
  auto file = WholeFile::Open(path_, OutputFile::Readers::kOwner);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->Close().has_value());
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WholeFileTest, IsWrittenAsItIsToADevice) {
  auto file = WholeFile::Open("/dev/null");
  ASSERT_TRUE(file.has_value());
  file->Write("x");
  EXPECT_TRUE(file->Close().has_value());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace thresher::pipeline

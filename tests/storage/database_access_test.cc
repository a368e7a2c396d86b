// Who may read and write a model's files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "storage/database.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

Result<std::unique_ptr<Database>> OpenOrMake(const fs::path& dir) {
  return Database::OpenOrCreate(dir, {}, Durability::kOs, std::chrono::milliseconds(0));
}

std::vector<std::string> FilesIn(const fs::path& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) names.push_back(entry.path().filename());
  return names;
}

fs::perms ModeOf(const fs::path& path) { return fs::status(path).permissions(); }

TEST(DatabaseAccessTest, OnlyTheOwnerMayLookIntoAModelWhateverTheUmask) {
  for (const mode_t mask : {0022U, 0000U, 0777U}) {
    const TestDirectory scratch;
    fs::create_directory(scratch.path() / "store");
    fs::permissions(scratch.path() / "store", fs::perms::all);
    const mode_t before = umask(mask);
    const auto made = OpenOrMake(scratch.path() / "store" / "model");
    umask(before);
    EXPECT_EQ(ModeOf(scratch.path() / "store" / "model"), fs::perms::owner_all);
    EXPECT_EQ(ModeOf(scratch.path() / "store"), fs::perms::all);  // the user's own
  }
}

TEST(DatabaseAccessTest, ADirectoryThatWasThereKeepsItsMode) {
  const TestDirectory scratch;
  fs::create_directory(scratch.model());
  fs::permissions(scratch.model(), fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
  const auto before = ModeOf(scratch.model());
  ASSERT_TRUE(Succeeded(OpenOrMake(scratch.model())));
  EXPECT_EQ(ModeOf(scratch.model()), before);
}

TEST(DatabaseAccessTest, IsMadeUnderARelativePathAsWell) {
  const TestDirectory scratch;
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  for (const char* dir : {"model", "below/it/", "./other"}) EXPECT_TRUE(Succeeded(OpenOrMake(dir))) << dir;
  EXPECT_EQ(ModeOf("below/it"), fs::perms::owner_all);
  fs::current_path(before);
}

constexpr uid_t kNobody = 65534;

// While an object of this class exists, the process has the rights of an ordinary user.
class AsNobody {
 public:
  AsNobody() { EXPECT_EQ(seteuid(kNobody), 0); }
  ~AsNobody() { EXPECT_EQ(seteuid(0), 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
};

// Lets everybody read the folder, but only root write to it.
void MakeReadOnly(const fs::path& dir) {
  const auto search = fs::perms::group_exec | fs::perms::others_exec;
  const auto read = fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read;
  fs::permissions(dir, read | search);
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    fs::permissions(entry.path(), entry.is_directory() ? read | search : read);
  }
}

TEST(DatabaseAccessTest, ReadsWhereItMayNotWrite) {
  const TestDirectory scratch;
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  MakeReadOnly(scratch.path());
  const auto before = FilesIn(scratch.model() / "db");
  {
    const AsNobody nobody;
    EXPECT_TRUE(Succeeded(ToyModel::OpenForReading(scratch.model())));
    EXPECT_TRUE(FailedWith(ErrorKind::kDenied, OpenOrMake(scratch.model())));
    EXPECT_TRUE(FailedWith(ErrorKind::kDenied, OpenOrMake(scratch.path() / "other")));
  }
  EXPECT_EQ(FilesIn(scratch.model() / "db"), before);
}

TEST(DatabaseAccessTest, WhatMayNotBeReadIsUnreadable) {
  const TestDirectory scratch;
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  MakeReadOnly(scratch.path());
  fs::permissions(scratch.model() / "db" / "CURRENT", fs::perms::owner_all);
  const AsNobody nobody;
  EXPECT_TRUE(FailedWith(ErrorKind::kUnreadable, Database::OpenForReading(scratch.model())));
}

TEST(DatabaseAccessTest, WhatMayNotBeLookedAtIsUnreadableNotMissing) {
  const TestDirectory scratch;  // is its owner's alone
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(OpenOrMake(scratch.model())));
  const AsNobody nobody;
  EXPECT_TRUE(FailedWith(ErrorKind::kUnreadable, Database::OpenForReading(scratch.model())));
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, OpenOrMake(scratch.model())));
}

TEST(DatabaseAccessTest, ALockFileThatMayNotBeWrittenIsDenied) {
  const TestDirectory scratch;
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Succeeded(OpenOrMake(scratch.model())));
  fs::permissions(scratch.path(), fs::perms::all);
  for (const auto& own : {scratch.model(), scratch.model() / "db"})
    ASSERT_EQ(chown(own.c_str(), kNobody, kNobody), 0);
  fs::permissions(scratch.model() / "writer", fs::perms::none);
  const AsNobody nobody;
  const auto refused = OpenOrMake(scratch.model());
  ASSERT_TRUE(FailedWith(ErrorKind::kDenied, refused));
  EXPECT_THAT(refused.error().message, testing::HasSubstr("writer"));
}
}  // namespace
}  // namespace thresher::storage

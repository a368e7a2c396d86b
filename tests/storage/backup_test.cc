// Backups of a model while a process trains it without a pause, or is killed: each backup is the model at one
// moment, with everything that was acknowledged before.
#include "storage/backup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "storage/score_image.h"
#include "tests/storage/child_process.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/storage/whole_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Reads the numbers of acknowledged examples while a process prints them.
class Acknowledged {
 public:
  explicit Acknowledged(ChildProcess& child)
      : reader_([this, &child] {
          for (std::string line = child.ReadLine(); !line.empty(); line = child.ReadLine()) {
            const std::lock_guard lock(mutex_);
            last_ = line;
          }
        }) {}
  ~Acknowledged() { reader_.join(); }
  Acknowledged(const Acknowledged&) = delete;
  Acknowledged& operator=(const Acknowledged&) = delete;

  uint64_t last() {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(last_.find_first_not_of("0123456789"), std::string::npos) << last_;
    return last_.empty() ? 0 : std::stoull(last_);
  }

 private:
  std::mutex mutex_;
  std::string last_;
  std::thread reader_;
};

// The model in a backup can be read, and a writer can continue it, with files of its own.
void ExpectUsable(const fs::path& dir, uint64_t acknowledged) {
  {
    const auto reader = ToyModel::OpenForReading(dir);
    ASSERT_TRUE(Succeeded(reader));
    EXPECT_GE((*reader)->log().last_seq(), acknowledged);
    ExpectWhole(**reader);
    const auto image = ScoreImage::Open(dir);
    EXPECT_TRUE(!image || image->applied_seq() == (*reader)->applied_seq());
  }
  const auto writer = ToyModel::OpenOrCreate(dir, Durability::kOs);
  ASSERT_TRUE(Succeeded(writer));
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(Succeeded((*writer)->Learn()));
  ASSERT_TRUE(Succeeded((*writer)->Checkpoint(Way::kTables)));
  ASSERT_TRUE(Succeeded((*writer)->database().Compact()));
  ExpectWhole(**writer);
}

void BackUpAndKill(const std::string& command, const std::string& how, int rounds) {
  const TestDirectory scratch;
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
  uint64_t moments = 0;
  uint64_t before = 0;
  for (int round = 0; round < rounds; ++round) {
    ChildProcess child({command, scratch.model().string(), how});
    Acknowledged acknowledged(child);
    for (int i = 0; i < 4 && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(testing::Message() << "round " << round << ", backup " << i);
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
      const uint64_t least = acknowledged.last();
      const fs::path target = scratch.path() / ("backup" + std::to_string(round * 4 + i));
      const auto backup = BackUp(scratch.model(), target);
      EXPECT_TRUE(Succeeded(backup));
      if (!backup) break;
      EXPECT_GE(backup->last_seq, least);
      moments += backup->last_seq > before ? 1 : 0;
      before = backup->last_seq;
      ExpectUsable(target, least);
    }
    ::kill(child.pid(), SIGKILL);
  }
  EXPECT_GT(moments, 3U);
  // Writing to the backups did not change the model, although they share files.
  const auto model = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
  ASSERT_TRUE(Succeeded(model));
  EXPECT_GE((*model)->log().last_seq(), before);
  ExpectWhole(**model);
}

TEST(BackupTest, HasAllThatWasAcknowledgedBefore) { BackUpAndKill("teach", "sync", 4); }
TEST(BackupTest, HasItWithoutSyncToo) { BackUpAndKill("stroll", "30", 4); }

TEST(BackupTest, OfAModelThatThisProcessWrites) {
  const TestDirectory scratch;
  const auto writer = ToyModel::OpenOrCreate(scratch.model(), Durability::kSync);
  ASSERT_TRUE(Succeeded(writer));
  for (int i = 0; i < 5; ++i) {
    for (int learned = 0; learned < 30; ++learned) ASSERT_TRUE(Succeeded((*writer)->Learn()));
    if (i % 2 == 0) {
      ASSERT_TRUE(Succeeded((*writer)->Checkpoint(i == 0 ? Way::kTables : Way::kBatch)));
    }
    const fs::path target = scratch.path() / ("backup" + std::to_string(i));
    const auto backup = BackUp(scratch.model(), target);
    ASSERT_TRUE(Succeeded(backup));
    EXPECT_EQ(backup->last_seq, (*writer)->log().last_seq());
    EXPECT_TRUE(fs::exists(target / "image"));
    ExpectUsable(target, (*writer)->log().last_seq());
  }
  ASSERT_TRUE(Succeeded((*writer)->Learn()));
  ExpectWhole(**writer);
}

TEST(BackupTest, CountsTheExamplesThatHaveNotExpired) {
  const TestDirectory scratch;
  const auto writer = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
  ASSERT_TRUE(Succeeded(writer));
  EXPECT_EQ(BackUp(scratch.model(), scratch.path() / "empty")->examples, 0U);
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(Succeeded((*writer)->Learn()));
  EXPECT_EQ(BackUp(scratch.model(), scratch.path() / "whole")->examples, 30U);
  (*writer)->log().SetExtent({.first_seq = 21, .bytes = 1});
  ASSERT_TRUE(Succeeded((*writer)->Checkpoint()));
  const auto backup = BackUp(scratch.model(), scratch.path() / "backup");
  ASSERT_TRUE(Succeeded(backup));
  EXPECT_EQ(backup->examples, 10U);
  EXPECT_EQ(backup->last_seq, 30U);
}

TEST(BackupTest, CopiesWhereItCannotLink) {
  const TestDirectory scratch;
  {
    const auto writer = ToyModel::OpenOrCreate(scratch.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(writer));
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(Succeeded((*writer)->Learn()));
    ASSERT_TRUE(Succeeded((*writer)->Checkpoint(Way::kTables)));
  }
  std::string pattern = "/dev/shm/thresher-test-XXXXXX";
  struct stat here {};
  struct stat there {};
  if (mkdtemp(pattern.data()) == nullptr) GTEST_SKIP() << "no other file system to write to";
  ASSERT_EQ(::stat(scratch.path().c_str(), &here) | ::stat(pattern.c_str(), &there), 0);
  const auto backup = BackUp(scratch.model(), pattern + "/");
  const bool is_other = here.st_dev != there.st_dev;
  ASSERT_TRUE(Succeeded(backup));
  EXPECT_EQ(backup->tables_copied > 0, is_other);
  EXPECT_EQ(backup->tables_linked > 0, !is_other);
  ExpectUsable(pattern, 50);
  fs::remove_all(pattern);
}

class BackupTargetTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto writer = ToyModel::OpenOrCreate(scratch_.model(), Durability::kOs);
    ASSERT_TRUE(Succeeded(writer));
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(Succeeded((*writer)->Learn()));
  }
  TestDirectory scratch_;
  fs::path target_ = scratch_.path() / "deep" / "backup";
};

TEST_F(BackupTargetTest, IsMadeWithItsParentsForItsOwnerOnly) {
  ASSERT_TRUE(Succeeded(BackUp(scratch_.model(), target_)));
  EXPECT_EQ(fs::status(target_).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(fs::exists(target_ / "db" / "IDENTITY"));  // which the marks in its log name
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, BackUp(scratch_.model(), target_)));
  ExpectUsable(target_, 20);
}

TEST_F(BackupTargetTest, WithAnythingInItIsRefusedAndLeftAlone) {
  fs::create_directories(target_);
  std::ofstream(target_ / "letter") << "mine";
  EXPECT_TRUE(FailedWith(ErrorKind::kDenied, BackUp(scratch_.model(), target_)));
  EXPECT_EQ(std::distance(fs::directory_iterator(target_), fs::directory_iterator()), 1);
  EXPECT_FALSE(BackUp(scratch_.model(), target_ / "letter").has_value());
}

// It may be a model.
TEST_F(BackupTargetTest, InTheModelItselfIsRefused) {
  fs::create_directory_symlink(scratch_.model(), scratch_.path() / "way");
  for (const fs::path& target : {scratch_.model() / "backup", scratch_.path() / "way" / "a" / "backup"}) {
    EXPECT_TRUE(FailedWith(ErrorKind::kDenied, BackUp(scratch_.model(), target)));
    EXPECT_FALSE(fs::exists(target));
  }
}

TEST_F(BackupTargetTest, ThatCannotBeReadIsNotTakenForFree) {
  fs::create_directories(target_.parent_path());
  fs::create_directory_symlink(target_, target_);
  EXPECT_TRUE(FailedWith(ErrorKind::kUnreadable, BackUp(scratch_.model(), target_)));
}

TEST_F(BackupTargetTest, OfABackupThatWasCutShortIsNoModelAndIsMadeAnew) {
  fs::create_directories(target_ / "db.new");
  fs::copy(scratch_.model() / "db", target_ / "db.new", fs::copy_options::recursive);
  std::ofstream(target_ / "db.new" / "000099.sst") << "begun";
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, ToyModel::OpenForReading(target_)));
  ASSERT_TRUE(Succeeded(BackUp(scratch_.model(), target_)));
  EXPECT_FALSE(fs::exists(target_ / "db.new"));
  EXPECT_FALSE(fs::exists(target_ / "db" / "000099.sst"));
  ExpectUsable(target_, 20);
}

TEST_F(BackupTargetTest, OfABackupThatWasCutShortAtItsImageIsMadeAnew) {
  fs::create_directories(target_);
  std::ofstream(target_ / "image.new") << "torn";
  ASSERT_TRUE(Succeeded(BackUp(scratch_.model(), target_)));
  EXPECT_TRUE(Database::CheckExists(target_).has_value());
  EXPECT_FALSE(fs::exists(target_ / "image.new"));
}

TEST_F(BackupTargetTest, IsNotMadeOfWhatIsNoModelOrDamaged) {
  EXPECT_TRUE(FailedWith(ErrorKind::kMissing, BackUp(scratch_.path() / "nothing", target_)));
  EXPECT_FALSE(fs::exists(target_));
  fs::remove(scratch_.model() / "db" / "CURRENT");
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, BackUp(scratch_.model(), target_)));
  EXPECT_FALSE(Database::CheckExists(target_).has_value());
}

// Otherwise the backup would seem complete, and the loss in the log would be noticed too late.
TEST_F(BackupTargetTest, IsNotMadeOfADamagedLog) {
  const fs::path dir = scratch_.path() / "synced";
  {
    const auto writer = ToyModel::OpenOrCreate(dir, Durability::kSync);
    ASSERT_TRUE(Succeeded(writer));
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(Succeeded((*writer)->Learn()));
  }
  for (const auto& entry : fs::directory_iterator(dir / "db")) {
    if (entry.path().extension() != ".log") continue;
    std::fstream log(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    log.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    log << "damage";
  }
  EXPECT_TRUE(FailedWith(ErrorKind::kCorrupt, BackUp(dir, target_)));
  EXPECT_FALSE(Database::CheckExists(target_).has_value());
}

// A table that is being written has a name already, and the first table that the backup's writer makes would
// get the same name.
TEST_F(BackupTargetTest, HasNoTableThatIsNotTheDatabases) {
  const fs::path begun = scratch_.model() / "db" / "000099.sst";
  std::ofstream(begun) << "begun";
  ASSERT_TRUE(Succeeded(BackUp(scratch_.model(), target_)));
  EXPECT_FALSE(fs::exists(target_ / "db" / "000099.sst"));
  EXPECT_EQ(fs::file_size(begun), 5U);
}

}  // namespace
}  // namespace thresher::storage

// A disk that becomes full while a process trains: the error is clear, no example is half applied, and
// training goes on when there is space again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/storage/child_process.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Reads the lines of a child until it ends; returns the last acknowledged number and the error.
struct Ending {
  uint64_t acknowledged = 0;
  std::string error;
};

Ending RunToItsEnd(ChildProcess& child) {
  Ending ending;
  for (std::string line = child.ReadLine(); !line.empty(); line = child.ReadLine()) {
    if (line.find_first_not_of("0123456789") == std::string::npos) {
      ending.acknowledged = std::stoull(line);
    } else {
      ending.error += line;
    }
  }
  return ending;
}

void CheckNothingIsLost(const std::filesystem::path& dir, uint64_t acknowledged) {
  const auto model = ToyModel::OpenOrCreate(dir, Durability::kOs);
  ASSERT_TRUE(Succeeded(model));
  EXPECT_GE((*model)->log().last_seq(), acknowledged);
  ToyTwin twin;
  twin.LearnUpTo((*model)->log().last_seq());
  EXPECT_EQ((*model)->Rows(), twin.rows());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Succeeded((*model)->Learn()));
  ASSERT_TRUE(Succeeded((*model)->Checkpoint()));
  twin.LearnUpTo((*model)->log().last_seq());
  EXPECT_EQ((*model)->Rows(), twin.rows());
}

std::string ErrorOfKind(ErrorKind kind) { return "error " + std::to_string(static_cast<int>(kind)) + " "; }

TEST(FullDiskTest, AFullFileSystemStopsTheWriterAndLosesNothing) {
  const TestDirectory scratch;
  if (mount("tmpfs", scratch.path().c_str(), "tmpfs", 0, "size=3m") != 0) {
    GTEST_SKIP() << "may not mount a small file system";
  }
  ChildProcess child({"teach", scratch.model().string(), "os"});
  const Ending ending = RunToItsEnd(child);
  EXPECT_THAT(ending.error, StartsWith(ErrorOfKind(ErrorKind::kFull)));
  EXPECT_THAT(ending.error, HasSubstr(scratch.model().string()));
  EXPECT_EQ(mount("tmpfs", scratch.path().c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  CheckNothingIsLost(scratch.model(), ending.acknowledged);
  EXPECT_EQ(umount(scratch.path().c_str()), 0);
}

TEST(FullDiskTest, ALimitOnFilesStopsTheWriterAndLosesNothing) {
  const TestDirectory scratch;
  for (const char* limit : {"100000", "250000", "700000"}) {
    SCOPED_TRACE(limit);
    ChildProcess child({"starve", scratch.model().string(), limit});
    const Ending ending = RunToItsEnd(child);
    EXPECT_THAT(ending.error, StartsWith(ErrorOfKind(ErrorKind::kFull)));
    CheckNothingIsLost(scratch.model(), ending.acknowledged);
  }
}

TEST(FullDiskTest, TableFilesWithoutRoomStopTheWriterAndLoseNothing) {
  const TestDirectory scratch;
  for (const char* limit : {"0", "2000", "60000", "2000"}) {
    SCOPED_TRACE(limit);
    ChildProcess child({"choke", scratch.model().string(), limit});
    const Ending ending = RunToItsEnd(child);
    EXPECT_THAT(ending.error, StartsWith(ErrorOfKind(ErrorKind::kFull)));
    EXPECT_FALSE(std::filesystem::exists(scratch.model() / "db.add"));  // its room is free again
    CheckNothingIsLost(scratch.model(), ending.acknowledged);
  }
}

TEST(FullDiskTest, WithoutRoomNoModelIsMade) {
  const TestDirectory scratch;
  ChildProcess child({"starve", scratch.model().string(), "10"});
  EXPECT_THAT(RunToItsEnd(child).error, StartsWith(ErrorOfKind(ErrorKind::kFull)));
  EXPECT_FALSE(Database::CheckExists(scratch.model()).has_value());
  EXPECT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch.model(), Durability::kOs)));
}

}  // namespace
}  // namespace thresher::storage

// A new model survives a crash of the machine with all directories on the path to it: each directory in which
// one was made or renamed is synced, after that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "storage/backup.h"
#include "storage/new_model.h"
#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"
#include "tests/test_directory.h"

namespace {

namespace fs = std::filesystem;

// A directory that was synced, and what was in it at that time.
struct Synced {
  std::string path;
  std::vector<std::string> held;
};

std::mutex noting;
std::vector<Synced> synced;

void Note(int fd) {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  if (error || !fs::is_directory(path, error)) return;
  Synced now{path.string(), {}};
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    now.held.push_back(entry->path().filename().string());
  const std::lock_guard lock(noting);
  synced.push_back(now);
}

}  // namespace

// In the place of the C library's function, for this program and RocksDB.
extern "C" int fsync(int fd) {
  Note(fd);
  return static_cast<int>(syscall(SYS_fsync, fd));
}

namespace thresher::storage {
namespace {

using testing::Contains;

// Whether `path` survives a crash: its directory was synced when it was there.
void ExpectSynced(const fs::path& path) {
  const std::lock_guard lock(noting);
  EXPECT_THAT(synced,
              Contains(testing::AllOf(testing::Field(&Synced::path, path.parent_path().string()),
                                      testing::Field(&Synced::held, Contains(path.filename().string())))))
      << path;
}

class SyncedDirectoriesTest : public testing::Test {
 protected:
  void SetUp() override { synced.clear(); }
  void ExpectAllSynced(const fs::path& model) const {
    for (fs::path path = model; path != scratch_.path(); path = path.parent_path()) ExpectSynced(path);
    ExpectSynced(model / "db");
  }
  TestDirectory scratch_;
};

TEST_F(SyncedDirectoriesTest, OfANewModel) {
  const fs::path model = scratch_.path() / "a" / "b" / "model";
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(model, Durability::kSync)));
  ExpectAllSynced(model);
}

TEST_F(SyncedDirectoriesTest, OfABackup) {
  ASSERT_TRUE(Succeeded(ToyModel::OpenOrCreate(scratch_.model(), Durability::kSync)));
  const fs::path target = scratch_.path() / "c" / "d" / "backup";
  ASSERT_TRUE(Succeeded(BackUp(scratch_.model(), target)));
  ExpectAllSynced(target);
  for (const auto& file : fs::directory_iterator(target / "db")) {
    const fs::path name = file.path().filename();
    if (name != "SYNCED") ExpectSynced(target / "db.new" / name);  // where it was copied to
  }
}

TEST_F(SyncedDirectoriesTest, OfAnImport) {
  const fs::path model = scratch_.path() / "e" / "model";
  {
    const auto made = NewModel::Begin(model);
    ASSERT_TRUE(Succeeded(made));
    ASSERT_TRUE(Succeeded((*made)->PutMeta({{"learner", "toy"}})));
    ASSERT_TRUE(Succeeded((*made)->Finish()));
  }
  ExpectAllSynced(model);
}

}  // namespace
}  // namespace thresher::storage

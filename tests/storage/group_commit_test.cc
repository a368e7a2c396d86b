#include "storage/group_commit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

#include "tests/storage/outcome.h"

namespace thresher::storage {
namespace {

// A slow disk that counts what was written and what was synced.
struct SlowDisk {
  std::atomic<int> written = 0;
  std::atomic<int> durable = 0;
  std::atomic<int> syncs = 0;
  std::atomic<int> at_work = 0;

  Result<void> Sync() {
    EXPECT_EQ(++at_work, 1);
    const int covered = written;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    durable = covered;
    ++syncs;
    --at_work;
    return {};
  }
};

TEST(GroupCommitTest, ThreadsShareSyncsAndNoneReturnsTooEarly) {
  constexpr int kThreads = 8;
  constexpr int kEach = 25;
  SlowDisk disk;
  GroupCommit commits([&disk] { return disk.Sync(); });
  std::latch all_are_there(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      all_are_there.arrive_and_wait();
      for (int i = 0; i < kEach; ++i) {
        const int mine = ++disk.written;
        EXPECT_TRUE(Succeeded(commits.Wait()));
        EXPECT_GE(disk.durable, mine);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(disk.syncs, kEach);
  EXPECT_LT(disk.syncs, kThreads * kEach / 2);
}

TEST(GroupCommitTest, OneThreadAloneSyncsEachTime) {
  SlowDisk disk;
  GroupCommit commits([&disk] { return disk.Sync(); });
  for (int i = 1; i <= 3; ++i) {
    EXPECT_TRUE(Succeeded(commits.Wait()));
    EXPECT_EQ(disk.syncs, i);
  }
}

TEST(GroupCommitTest, AFailureIsEverybodysAndForGood) {
  std::atomic<int> syncs = 0;
  GroupCommit commits([&syncs]() -> Result<void> {
    if (++syncs == 3) return tl::unexpected(Error{ErrorKind::kIo, "the disk is gone"});
    return {};
  });
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&commits] {
      while (commits.Wait()) {
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(syncs, 3);
  EXPECT_TRUE(FailedWith(ErrorKind::kIo, commits.Wait()));
  ASSERT_TRUE(commits.Failure().has_value());
  EXPECT_EQ(commits.Failure()->message, "the disk is gone");
}

}  // namespace
}  // namespace thresher::storage

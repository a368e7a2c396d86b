#include "storage/writer_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/storage/child_process.h"
#include "tests/storage/outcome.h"
#include "tests/test_directory.h"

namespace thresher::storage {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(WriterLockTest, ABusyLockNamesItsHolder) {
  const TestDirectory scratch;
  ChildProcess holder({"hold", scratch.path().string()});
  ASSERT_EQ(holder.ReadLine(), "held");
  const auto refused = WriterLock::Acquire(scratch.path(), milliseconds(0));
  ASSERT_TRUE(FailedWith(ErrorKind::kBusy, refused));
  EXPECT_THAT(refused.error().message, HasSubstr(scratch.path().string()));
  EXPECT_THAT(refused.error().message, HasSubstr("process " + std::to_string(holder.pid())));
  EXPECT_THAT(refused.error().message, HasSubstr("storage_child hold"));
  EXPECT_THAT(refused.error().message, HasSubstr("since 20"));
}

TEST(WriterLockTest, AKilledHolderLeavesItFree) {
  const TestDirectory scratch;
  ChildProcess holder({"hold", scratch.path().string()});
  ASSERT_EQ(holder.ReadLine(), "held");
  holder.KillAndDrain();
  EXPECT_TRUE(Succeeded(WriterLock::Acquire(scratch.path(), milliseconds(0))));
}

TEST(WriterLockTest, IsHeldAgainstTheSameProcessAndReleasedAtTheEnd) {
  const TestDirectory scratch;
  {
    auto lock = WriterLock::Acquire(scratch.path(), milliseconds(0));
    ASSERT_TRUE(Succeeded(lock));
    const WriterLock moved = *std::move(lock);
    EXPECT_TRUE(FailedWith(ErrorKind::kBusy, WriterLock::Acquire(scratch.path(), milliseconds(30))));
  }
  EXPECT_TRUE(Succeeded(WriterLock::Acquire(scratch.path(), milliseconds(0))));
}

TEST(WriterLockTest, AWaiterGetsItOnceReleased) {
  const TestDirectory scratch;
  std::optional<Result<WriterLock>> first = WriterLock::Acquire(scratch.path(), milliseconds(0));
  ASSERT_TRUE(Succeeded(*first));
  std::promise<void> waits;
  auto waiter = std::async(std::launch::async, [&] {
    return WriterLock::Acquire(scratch.path(), std::chrono::hours(1), [&](const auto&) { waits.set_value(); })
        .has_value();
  });
  waits.get_future().wait();
  first.reset();
  EXPECT_TRUE(waiter.get());
}

TEST(WriterLockTest, AWaiterIsToldOnceWhatItWaitsFor) {
  const TestDirectory scratch;
  std::optional<Result<WriterLock>> first = WriterLock::Acquire(scratch.path(), milliseconds(0));
  std::vector<std::string> told;
  // The lock is free only after the waiter was told.
  const auto second =
      WriterLock::Acquire(scratch.path(), std::chrono::minutes(1), [&](const std::string& what) {
        told.push_back(what);
        first.reset();
      });
  EXPECT_TRUE(Succeeded(second));
  EXPECT_THAT(told,
              testing::ElementsAre(HasSubstr(scratch.path().string() + " is being written to by process ")));
}

TEST(WriterLockTest, IsNotFooledByAStoreRemovedAndMadeAnew) {
  const TestDirectory scratch;
  std::optional<Result<WriterLock>> removed = WriterLock::Acquire(scratch.path(), milliseconds(0));
  std::promise<void> waits;
  auto waiter = std::async(std::launch::async, [&] {
    auto lock =
        WriterLock::Acquire(scratch.path(), std::chrono::hours(1), [&](const auto&) { waits.set_value(); });
    // The lock is on the file that is there now.
    return lock && !WriterLock::Acquire(scratch.path(), milliseconds(0));
  });
  waits.get_future().wait();
  std::filesystem::remove(scratch.path() / "writer");
  removed.reset();
  EXPECT_TRUE(waiter.get());
}

TEST(WriterLockTest, WhateverTheFileHoldsTheMessageIsOneLine) {
  const TestDirectory scratch;
  const auto lock = WriterLock::Acquire(scratch.path(), milliseconds(0));
  for (const std::string& content :
       {std::string(), std::string("12\x1b[31m\r\nx\ty"), std::string(100000, 'a'), std::string("\n\n\n\n"),
        std::string(600, '\0')}) {
    std::ofstream(scratch.path() / "writer", std::ios::trunc) << content;
    const auto refused = WriterLock::Acquire(scratch.path(), milliseconds(0));
    ASSERT_TRUE(FailedWith(ErrorKind::kBusy, refused));
    EXPECT_LT(refused.error().message.size(), 1000U);
    EXPECT_THAT(refused.error().message, testing::Not(HasSubstr("\x1b")));
  }
}

TEST(WriterLockTest, WithoutADirectoryOrAsADirectoryFails) {
  const TestDirectory scratch;
  EXPECT_TRUE(
      FailedWith(ErrorKind::kMissing, WriterLock::Acquire(scratch.path() / "absent", milliseconds(0))));
  std::filesystem::create_directory(scratch.path() / "writer");
  EXPECT_TRUE(FailedWith(ErrorKind::kIo, WriterLock::Acquire(scratch.path(), milliseconds(0))));
}

}  // namespace
}  // namespace thresher::storage

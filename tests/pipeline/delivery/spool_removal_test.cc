// What goes from a spool because of its age or because its user wants it, whatever is wrong with other files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/delivery/spool_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SpoolRemovalTest : public SpoolFixture {
 protected:
  static bool All(std::string_view /*message_id*/) { return true; }
  // As a day later.
  void KeepAndCount(int i) const {
    std::filesystem::remove(directory_.path() / "spool" / ".usage");
    ASSERT_TRUE(Open().Keep(KeyOf(i), FeaturesOf(i)).has_value());
  }
};

TEST_F(SpoolRemovalTest, ATimeInTheFutureCountsAsNow) {
  const std::chrono::minutes day = std::chrono::hours(24);
  KeepAndCount(1);
  MakeOlder(-400 * day);
  KeepAndCount(2);
  EXPECT_TRUE(Open().Holds(KeyOf(1)));
  MakeOlder(31 * day);  // max_age_days is 30
  KeepAndCount(3);
  EXPECT_FALSE(Open().Holds(KeyOf(1)));
  EXPECT_FALSE(Open().Holds(KeyOf(2)));
  // A clock that is a little ahead is no reason.
  MakeOlder(-day / 2);
  const auto time = std::filesystem::last_write_time(Files().front());
  KeepAndCount(4);
  EXPECT_EQ(std::ranges::count(Files(), time, [](const auto& file) { return last_write_time(file); }), 1);
}

TEST_F(SpoolRemovalTest, WhatCannotBeReadIsSaidWhenTheOthersAreGone) {
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(Open().Keep(KeyOf(i), FeaturesOf(i)).has_value());
  std::vector<std::filesystem::path> files = Files();
  std::ranges::sort(files);
  for (const size_t unreadable : {size_t{1}, size_t{3}}) {
    std::filesystem::remove(files[unreadable]);
    std::filesystem::create_directory(files[unreadable]);
  }
  const auto removed = Open().RemoveIf(All);
  ASSERT_FALSE(removed.has_value());
  EXPECT_EQ(removed.error().exit_code, kIo);
  EXPECT_THAT(removed.error().message, StartsWith("cannot read " + files[1].string()));
  EXPECT_EQ(Files().size(), 2U);
}

TEST_F(SpoolRemovalTest, WhatCannotBeRemovedIsAnError) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_TRUE(Open().Keep(KeyOf(1), FeaturesOf(1)).has_value());
  using Perms = std::filesystem::perms;
  const Perms readable = Perms::owner_all | Perms::group_read | Perms::others_read;
  for (const auto& path : {directory_.path(), directory_.path() / "spool", Files().front()})
    std::filesystem::permissions(path, readable | Perms::group_exec | Perms::others_exec);
  ASSERT_EQ(::seteuid(65534), 0);
  const auto removed = Open().RemoveIf(All);
  const auto none = Open().RemoveIf([](std::string_view) { return false; });
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_FALSE(removed.has_value());
  EXPECT_EQ(removed.error().exit_code, kIo);
  EXPECT_THAT(removed.error().message, HasSubstr("cannot remove " + Files().front().string()));
  EXPECT_EQ(none, 0U);
}

}  // namespace
}  // namespace thresher::pipeline

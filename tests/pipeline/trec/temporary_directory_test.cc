// Directories that many processes make, and that later ones remove if their process was killed.
#include "pipeline/trec/temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace thresher::pipeline {
namespace {

// Each looks for abandoned directories first, and sees those that others have made and not locked yet.
TEST(TemporaryDirectory, ManyAtOnceDoNotTakeEachOtherAway) {
  const std::string name = "thresher-test-many-" + std::to_string(::getpid());
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    children.push_back(::fork());
    ASSERT_GE(children.back(), 0);
    if (children.back() > 0) continue;
    for (int i = 0; i < 1000; ++i) {
      const auto made = TemporaryDirectory::Make(name);
      if (!made || !std::filesystem::is_directory((*made)->path())) ::_exit(1);
    }
    ::_exit(0);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST(TemporaryDirectory, WhatWasAbandonedIsRemoved) {
  const std::string name = "thresher-test-abandoned-" + std::to_string(::getpid());
  const std::filesystem::path abandoned = std::filesystem::temp_directory_path() / (name + "-0");
  std::filesystem::create_directories(abandoned / "below");
  const auto made = TemporaryDirectory::Make(name);
  ASSERT_TRUE(made);
  EXPECT_FALSE(std::filesystem::exists(abandoned));
  EXPECT_TRUE(std::filesystem::exists((*made)->path()));
}

}  // namespace
}  // namespace thresher::pipeline

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

namespace fs = std::filesystem;

// The directories for temporary files whose names begin so.
std::vector<fs::path> Named(const std::string& name) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::temp_directory_path())) {
    if (entry.path().filename().string().starts_with(name)) found.push_back(entry.path());
  }
  return found;
}

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
      if (!made || !fs::is_directory((*made)->path())) ::_exit(1);
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
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto made = TemporaryDirectory::Make(name);
    ::_exit(made && fs::create_directory((*made)->path() / "below") ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(Named(name).size(), 1U);
  const auto made = TemporaryDirectory::Make(name);
  ASSERT_TRUE(made);
  EXPECT_EQ(Named(name), std::vector{(*made)->path()});
}

// As somebody's own results, or a store that a replay has kept.
TEST(TemporaryDirectory, WhatOthersMadeStays) {
  const std::string name = "thresher-test-others-" + std::to_string(::getpid());
  const fs::path kept = fs::temp_directory_path() / (name + "-enron1");
  fs::create_directories(kept / "below");
  ASSERT_TRUE(TemporaryDirectory::Make(name));
  EXPECT_EQ(Named(name), std::vector{kept});
  EXPECT_TRUE(fs::exists(kept / "below"));
  fs::remove_all(kept);
}

}  // namespace
}  // namespace thresher::pipeline

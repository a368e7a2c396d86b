// A state survives a crash of the machine: the file is synced before it gets its name, and its folder after
// that.
#include "pipeline/fit/solver_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/pipeline/program.h"

namespace {

// Of the thread that saves a state; the threads of databases sync too.
thread_local bool cannot_sync = false;
thread_local std::vector<std::string>* noted = nullptr;  // "PATH" or "PATH: SIZE" of a file, where not null

void NoteSynced(int fd) {
  if (noted == nullptr) return;
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  const bool is_file = std::filesystem::is_regular_file(path, error);
  noted->push_back(path.string() +
                   (is_file ? ": " + std::to_string(std::filesystem::file_size(path, error)) : ""));
}

}  // namespace

// In the place of the C library's functions, for this program.
extern "C" int fsync(int fd) {
  NoteSynced(fd);
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

extern "C" int fdatasync(int fd) {
  if (cannot_sync) {
    errno = EIO;
    return -1;
  }
  NoteSynced(fd);
  return static_cast<int>(::syscall(SYS_fdatasync, fd));
}

namespace thresher::pipeline {
namespace {

using testing::ElementsAre;

TEST(SolverState, SurvivesACrashOfTheMachine) {
  const TestDirectory directory;
  std::vector<double> numbers = {1, 2, 3};
  std::vector<std::string> synced;
  noted = &synced;
  const auto saved = SaveSolver(directory / "state", "a fit", {numbers});
  noted = nullptr;
  ASSERT_TRUE(saved.has_value());
  const std::string size = std::to_string(std::filesystem::file_size(directory / "state"));
  EXPECT_THAT(synced, ElementsAre((directory / "state.new") + ": " + size, directory.path().string()));
}

TEST(SolverState, IsLeftAsItWasWhereTheNextOneCannotBeSynced) {
  const TestDirectory directory;
  std::vector<double> numbers = {1, 2, 3};
  ASSERT_TRUE(SaveSolver(directory / "state", "a fit", {numbers}).has_value());
  const std::string before = ReadBytes(directory / "state");
  numbers[0] = 4;
  cannot_sync = true;
  const auto saved = SaveSolver(directory / "state", "a fit", {numbers});
  cannot_sync = false;
  ASSERT_FALSE(saved.has_value());
  EXPECT_EQ(saved.error().exit_code, kIo);
  EXPECT_EQ(ReadBytes(directory / "state"), before);
  EXPECT_FALSE(std::filesystem::exists(directory / "state.new"));
}

}  // namespace
}  // namespace thresher::pipeline

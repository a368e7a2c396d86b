#include "pipeline/serve/doubt_run.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

std::vector<std::string> Shell(const std::string& text) { return {"/bin/sh", "-c", text}; }

nlohmann::ordered_json Await(const DoubtRun& run) {
  while (run.State("default").at("running")) std::this_thread::yield();
  return run.State("default");
}

TEST(DoubtRunTest, KeepsWhatWasFound) {
  const TestDirectory directory;
  DoubtRun run(Shell("echo x >>" + (directory / "runs") + "; echo '{\"doubted\": 3}'"));
  EXPECT_TRUE(run.State("default").at("found").is_null());
  run.Start("default");
  const auto state = Await(run);
  EXPECT_EQ(state.at("found").at("doubted"), 3);
  EXPECT_TRUE(state.at("error").is_null());
  EXPECT_GT(state.at("time"), 0);
  run.Start("default");
  Await(run);
  EXPECT_EQ(ReadBytes(directory / "runs"), "x\nx\n");
}

TEST(DoubtRunTest, OneAtATime) {
  const TestDirectory directory;
  DoubtRun run(Shell("echo x >>" + (directory / "runs") + "; while [ ! -e " + (directory / "go") +
                     " ]; do sleep 0.01; done; echo '{}'"));
  EXPECT_TRUE(run.Start("default"));
  EXPECT_TRUE(run.Start("default"));
  EXPECT_FALSE(run.Start("other"));
  EXPECT_TRUE(run.State("default").at("running"));
  EXPECT_FALSE(run.State("other").at("running"));
  directory.Write("go", "");
  Await(run);
  EXPECT_EQ(ReadBytes(directory / "runs"), "x\n");
}

TEST(DoubtRunTest, SaysWhatWentWrong) {
  DoubtRun fails(Shell("echo no model >&2; echo second line >&2; exit 66"));
  fails.Start("default");
  EXPECT_EQ(Await(fails).at("error"), "no model");
  DoubtRun prints_nothing(Shell("true"));
  prints_nothing.Start("default");
  EXPECT_TRUE(Await(prints_nothing).at("error").is_string());
  DoubtRun cannot_run({"/no/such/program"});
  cannot_run.Start("default");
  EXPECT_TRUE(Await(cannot_run).at("error").is_string());
}

TEST(DoubtRunTest, ASearchBeginsWithoutTheLastResult) {
  const TestDirectory directory;
  directory.Write("go", "");
  DoubtRun run(Shell("while [ ! -e " + (directory / "go") + " ]; do sleep 0.01; done; echo '{}'"));
  run.Start("default");
  ASSERT_TRUE(Await(run).at("found").is_object());
  std::filesystem::remove(directory / "go");
  run.Start("default");
  const auto state = run.State("default");
  EXPECT_TRUE(state.at("running"));
  for (const char* name : {"time", "error", "found"}) EXPECT_TRUE(state.at(name).is_null()) << name;
  directory.Write("go", "");
  EXPECT_TRUE(Await(run).at("found").is_object());
}

TEST(DoubtRunTest, ASearchThatCannotBeginDoesNotRun) {
  DoubtRun run(Shell("echo '{}'"));
  pthread_attr_t usual;
  ASSERT_EQ(::pthread_getattr_default_np(&usual), 0);
  pthread_attr_t no_room;
  ASSERT_EQ(::pthread_getattr_default_np(&no_room), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&no_room, size_t{1} << 60), 0);
  ASSERT_EQ(::pthread_setattr_default_np(&no_room), 0);
  EXPECT_THROW(run.Start("default"), std::system_error);
  ASSERT_EQ(::pthread_setattr_default_np(&usual), 0);
  ::pthread_attr_destroy(&no_room);
  ::pthread_attr_destroy(&usual);
  ASSERT_FALSE(run.State("default").at("running"));
  EXPECT_TRUE(run.Start("default"));
  EXPECT_TRUE(Await(run).at("found").is_object());
}

TEST(DoubtRunTest, EndsWithItsOwner) {
  const TestDirectory directory;
  const std::string note = directory / "pid";
  {
    DoubtRun run(Shell("echo $$ >" + note + ".new; mv " + note + ".new " + note + "; exec sleep 1000"));
    run.Start("default");
    while (!std::filesystem::exists(note)) std::this_thread::yield();
  }
  EXPECT_EQ(::kill(std::stoi(ReadBytes(note)), 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace thresher::pipeline

// The committed reference pages are what the program prints, and so are the learners. Man pages and
// completions: tests/packaging.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

TEST(Reference, PagesAreWhatTheProgramPrints) {
  for (const std::string page : {"docs/settings.md", "docs/learner-options.md"}) {
    EXPECT_EQ(RunThresher({"reference", page}).out, ReadBytes(THRESHER_SOURCE_DIR "/" + page))
        << "run scripts/make-reference";
  }
}

TEST(Reference, WritesEachFileThatItLists) {
  const TestDirectory folder;
  ASSERT_EQ(RunThresher({"reference", "--into", folder / "all"}).exit_code, 0);
  std::istringstream names(RunThresher({"reference"}).out);
  size_t count = 0;
  for (std::string name; std::getline(names, name); ++count)
    EXPECT_EQ(RunThresher({"reference", name}).out, ReadBytes(folder.path() / "all" / name)) << name;
  EXPECT_GT(count, 30U);
}

TEST(Reference, TheDefaultConfigurationChangesNothing) {
  const TestDirectory folder;
  const std::string file = folder.Write("config.yaml", RunThresher({"reference", "config.yaml"}).out);
  EXPECT_EQ(RunThresher({"config", "--effective", "--config", file}).out, RunThresher({"config"}).out);
}

TEST(Learners, OneOrAll) {
  const std::string all = RunThresher({"learners"}).out;
  const std::string one = RunThresher({"learners", "ftrl"}).out;
  EXPECT_EQ(one.find("Online learners, for `learner.name`:\n\nftrl\n"), 0U) << one;
  EXPECT_NE(all.find(one.substr(one.find("ftrl\n"))), std::string::npos);
  EXPECT_EQ(one.find("adagrad"), std::string::npos);
  const std::string two = RunThresher({"learners", "interior-point"}).out;  // a learner and a solver
  EXPECT_NE(two.find("\nBatch solvers, for `thresher fit`:\n\ninterior-point\n"), std::string::npos) << two;
  const Ran none = RunThresher({"learners", "ftlr", "--json"});
  EXPECT_EQ(none.exit_code, 64);
  EXPECT_EQ(none.out, "");
}

TEST(Reference, AnUnknownFileIsWrongUsage) {
  const Ran ran = RunThresher({"reference", "docs/nothing.md"});
  EXPECT_EQ(ran.exit_code, 64);
  EXPECT_NE(ran.err.find("there is no 'docs/nothing.md'"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace thresher::pipeline

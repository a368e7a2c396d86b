// The file of fit --folders --costs, and what it does to the filing.
#include "pipeline/fit/filing_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kFolders = {"Junk", "work", "my lists"};

TEST(FilingCosts, LaterLinesOverrideEarlierOnes) {
  const TestDirectory directory;
  const std::string path = directory.Write(
      "costs", "# COST\tFOLDER\tINTO\n10\t*\tJunk\r\n\n0.5\tJunk\t*\n2.5\tmy lists\twork\n7\tmy lists\tJunk");
  const auto costs = ReadFilingCosts(path, kFolders);
  ASSERT_TRUE(costs) << costs.error().message;
  EXPECT_EQ(*costs, (std::vector<double>{0, 0.5, 0.5, 10, 0, 1, 7, 2.5, 0}));
}

TEST(FilingCosts, WhatIsNoCostIsRefusedWithItsLine) {
  const TestDirectory directory;
  const auto error_of = [&](const std::string& line) {
    const auto costs = ReadFilingCosts(directory.Write("costs", "# first\n" + line + "\n"), kFolders);
    EXPECT_FALSE(costs) << line;
    return costs ? "" : costs.error().message;
  };
  for (const char* const line :
       {"ten\t*\tJunk", "-1\t*\tJunk", "nan\t*\tJunk", "1e7\t*\tJunk", "\t*\tJunk"}) {
    EXPECT_THAT(error_of(line), HasSubstr("costs:2: expected a cost from 0 to 1e+06")) << line;
  }
  EXPECT_THAT(error_of("1\t*\tspam"), HasSubstr("\"spam\" is no folder"));
  EXPECT_THAT(error_of("1\twork"), HasSubstr("\"\" is no folder"));
  EXPECT_THAT(error_of("1\t*\tJunk\twork"), HasSubstr("is no folder"));
  EXPECT_THAT(error_of("1\twork\twork"), HasSubstr("costs nothing"));
  EXPECT_THAT(error_of(std::string(size_t{65} << 20, 'x')), HasSubstr("costs:2: a line of more than 64 MiB"));
  EXPECT_FALSE(ReadFilingCosts(directory / "none", kFolders));
}

// Two folders with words of their own.
class FilingWithCosts : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 12; ++i) {
      const std::string number = std::to_string(i);
      directory_.Write("mail/friends/" + number, "party house " + number + "\n");
      directory_.Write("mail/Junk/" + number, "cheap pills " + number + "\n");
    }
  }
  std::string FolderOf(const std::string& message, const std::string& costs) {
    const std::string model = directory_ / "folders";
    const Ran fitted = RunThresher({"fit", "--folders", directory_ / "mail", "--document", "--solver",
                                    "multiclass-sdca", "--option", "l2=0.001", "--costs",
                                    directory_.Write("costs", costs), "--weights", model});
    EXPECT_EQ(fitted.exit_code, 0) << fitted.err;
    const std::string out = RunThresher({"classify", "--folders", model, "--document"}, message).out;
    return out.substr(0, out.find(' '));
  }

  TestDirectory directory_;
};

TEST_F(FilingWithCosts, AMessageThatMayBeEitherGoesWhereAMistakeIsCheap) {
  const std::string either = "party pills 40\n";
  EXPECT_EQ(FolderOf(either, "10\tfriends\tJunk\n"), "friends");
  EXPECT_EQ(FolderOf(either, "10\tJunk\tfriends\n"), "Junk");
  EXPECT_EQ(FolderOf("cheap pills 40\n", "10\tfriends\tJunk\n"), "Junk");
}

TEST_F(FilingWithCosts, OnlyTheSolverThatKnowsCostsTakesThem) {
  const Ran ran = RunThresher({"fit", "--folders", directory_ / "mail", "--document", "--solver",
                               "multiclass-logistic", "--costs", directory_.Write("costs", "")});
  EXPECT_EQ(ran.exit_code, 64);
  EXPECT_THAT(ran.err, HasSubstr("--costs takes --solver multiclass-sdca"));
}

}  // namespace
}  // namespace thresher::pipeline

// fit --folders and classify --folders: messages filed as they were before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pipeline/error.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string Document(const std::string& about, int number) {
  return "A note on " + about + " number " + std::to_string(number) + ". More of " + about +
         " follows soon.\n";
}

class FoldersTest : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 8; ++i) {
      for (const std::string about : {"gardens", "engines", "music"}) {
        directory_.Write("mail/" + about + "/" + std::to_string(i), Document(about, i));
      }
    }
  }
  Ran Fit() const {
    return RunThresher({"fit", "--folders", directory_ / "mail", "--document", "--solver", "multiclass-sdca",
                        "--option", "l1=0.0001", "--weights", model_});
  }

  TestDirectory directory_;
  std::string model_ = directory_ / "folders";
};

TEST_F(FoldersTest, NewMessagesGoWhereTheirKindIs) {
  const Ran fitted = Fit();
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  EXPECT_THAT(fitted.out, HasSubstr("24 examples"));
  for (const std::string about : {"gardens", "engines", "music"}) {
    const Ran ran = RunThresher({"classify", "--folders", model_, "--document"}, Document(about, 99));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, StartsWith(about + " "));
    const Ran json =
        RunThresher({"classify", "--folders", model_, "--document", "--json"}, Document(about, 99));
    EXPECT_EQ(nlohmann::json::parse(json.out).at("folder"), about);
    EXPECT_GT(nlohmann::json::parse(json.out).at("margin"), 0);
  }
}

TEST_F(FoldersTest, TheSameFoldersGiveTheSameBytes) {
  Fit();
  const std::string once = ReadBytes(model_);
  Fit();
  EXPECT_EQ(ReadBytes(model_), once);
}

TEST_F(FoldersTest, WhatIsNoModelIsRefused) {
  Fit();
  const std::string good = ReadBytes(model_);
  const auto error_of = [&](const std::string& bytes) {
    const Ran ran = RunThresher({"classify", "--folders", directory_.Write("bad", bytes), "--document"}, "x");
    EXPECT_EQ(ran.exit_code, 3);
    return ran.err;
  };
  EXPECT_THAT(error_of(""), HasSubstr("expected what `thresher fit --folders` writes"));
  EXPECT_THAT(error_of("{}\n"), HasSubstr("expected what `thresher fit --folders` writes"));
  EXPECT_THAT(error_of(good.substr(0, good.size() - 4)), HasSubstr("cut short"));
  EXPECT_THAT(error_of(good.substr(0, good.size() - 8)), HasSubstr("expected 3 weights"));
}

TEST_F(FoldersTest, MisuseIsSaid) {
  EXPECT_EQ(RunThresher({"fit", "--folders", directory_ / "mail"}).exit_code,
            kUsage);  // sdca is not multiclass
  EXPECT_EQ(RunThresher({"fit", "--folders", directory_ / "none", "--solver", "multiclass-sdca"}).exit_code,
            kNoInput);
  EXPECT_EQ(
      RunThresher({"fit", "--folders", directory_ / "mail/music", "--solver", "multiclass-sdca"}).exit_code,
      kData);
}

}  // namespace
}  // namespace thresher::pipeline

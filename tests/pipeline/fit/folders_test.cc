// fit --folders and classify --folders: messages are filed into the folders they came from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
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
  Ran Fit(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {
        "fit",      "--folders", directory_ / "mail", "--document", "--solver", "multiclass-sdca",
        "--option", "l1=0.0001", "--weights",         model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunThresher(arguments);
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

TEST_F(FoldersTest, FilesThatAreNoMailAreCounted) {
  for (int i = 0; i < 8; ++i) {
    for (const std::string about : {"gardens", "engines"})
      directory_.Write("mail/" + about + "/" + std::to_string(i),
                       "Subject: " + about + "\n\n" + Document(about, i));
  }
  const Ran ran = RunThresher({"fit", "--folders", directory_ / "mail", "--solver", "multiclass-sdca"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("16 examples"));
  EXPECT_THAT(ran.err, HasSubstr("skipped (--document takes it for a text)\n"));
  EXPECT_THAT(ran.err, HasSubstr("thresher: 5 more: no mail: "));
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 4);
}

TEST_F(FoldersTest, TheSameFoldersGiveTheSameBytes) {
  Fit();
  const std::string once = ReadBytes(model_);
  Fit();
  EXPECT_EQ(ReadBytes(model_), once);
}

TEST_F(FoldersTest, NewWeightsTakeThePlaceOfThoseThatWereThere) {
  Fit();
  const std::string before = ReadBytes(model_);
  std::filesystem::create_hard_link(model_, directory_ / "twin");
  Fit({"--option", "l1=1e-3"});
  EXPECT_NE(ReadBytes(model_), before);
  EXPECT_EQ(ReadBytes(directory_ / "twin"), before);
}

TEST_F(FoldersTest, WhatIsNoModelIsRefused) {
  Fit();
  const std::string good = ReadBytes(model_);
  const auto error_of = [&](const std::string& bytes) {
    const Ran ran = RunThresher({"classify", "--folders", directory_.Write("bad", bytes), "--document"}, "x");
    EXPECT_EQ(ran.exit_code, 3);
    return ran.err;
  };
  const auto replaced = [&](const std::string& what, const std::string& by) {
    std::string bytes = good;
    return bytes.replace(bytes.find(what), what.size(), by);
  };
  const size_t end = good.rfind("end ");
  const std::string no_model = "expected what `thresher fit --folders` writes";
  EXPECT_THAT(error_of(""), HasSubstr("incomplete"));
  EXPECT_THAT(error_of("{}\n"), HasSubstr(no_model));
  EXPECT_THAT(error_of("[1]\n"), HasSubstr(no_model));
  EXPECT_THAT(error_of(replaced("\"version\":2", "\"version\":3")), HasSubstr(no_model));
  EXPECT_THAT(error_of(replaced("\"version\":2", "\"version\":[]")), HasSubstr(no_model));
  EXPECT_THAT(error_of(replaced("thresher-tokens-", "other-tokens-")), HasSubstr("fit it again"));
  EXPECT_THAT(error_of(replaced("\"music\"", "7")), HasSubstr("expected the names of folders"));
  EXPECT_THAT(error_of(good.substr(0, end)), HasSubstr("incomplete"));
  EXPECT_THAT(error_of(good.substr(0, end - 4)), HasSubstr("expected 3 weights"));
  EXPECT_THAT(error_of(good + "\n"), HasSubstr("there is data after"));
  EXPECT_THAT(error_of(replaced("gardens", "gardenz")), HasSubstr("bad:"));  // the digest does not match
}

TEST_F(FoldersTest, MboxesAndMaildirsAreFolders) {
  std::string mbox;
  for (int i = 0; i < 8; ++i)
    mbox += "From joe@example.com Thu Aug 22 12:36:23 2002\nA: 1\n\n" + Document("boats", i) + "\n";
  directory_.Write("mail/boats", mbox);
  directory_.Write("mail/index", "no folder");
  const Ran fitted = Fit();
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  EXPECT_THAT(fitted.out, HasSubstr("32 examples"));
  EXPECT_THAT(RunThresher({"classify", "--folders", model_, "--document"}, Document("boats", 9)).out,
              StartsWith("boats "));

  std::filesystem::remove_all(directory_ / "mail");
  for (const std::filesystem::path folder : {"mail", "mail/.Lists", "mail/.Junk"}) {
    std::filesystem::create_directories(directory_.path() / folder / "new");
    directory_.Write((folder / "cur/1:2,S").string(), Document(folder.filename().string(), 1));
  }
  EXPECT_EQ(Fit().exit_code, 0);
  EXPECT_THAT(ReadBytes(model_), HasSubstr(R"("folders":[".Junk",".Lists"])"));
}

// Whoever can write to the folder could name any file of the user's.
TEST_F(FoldersTest, LinksAreNotFollowed) {
  directory_.Write("elsewhere/1", Document("secrets", 1));
  directory_.Write("mbox", "From joe@example.com Thu Aug 22 12:36:23 2002\n\n" + Document("secrets", 2));
  std::filesystem::create_symlink(directory_ / "elsewhere", directory_ / "mail/friends");
  std::filesystem::create_symlink(directory_ / "mbox", directory_ / "mail/letters");
  const Ran ran = Fit();
  EXPECT_EQ(ran.exit_code, kNoInput);
  EXPECT_THAT(ran.err, HasSubstr("symbolic links in folders are not followed (2 in all)"));
  EXPECT_THAT(ReadBytes(model_), HasSubstr(R"("folders":["engines","gardens","music"])"));

  const std::string renamed = directory_ / "renamed";
  std::filesystem::rename(directory_ / "mail", renamed);
  for (const std::string about : {"gardens", "music"}) {
    std::filesystem::create_directories(directory_ / ("mail/." + about + "/new"));
    std::filesystem::rename(renamed + "/" + about, directory_ / ("mail/." + about + "/cur"));
  }
  for (const std::string part : {"cur", "new"})
    std::filesystem::create_directories(directory_ / ("mail/" + part));
  std::filesystem::create_symlink(directory_ / "mail/.music", directory_ / "mail/.friends");
  EXPECT_THAT(Fit().err, HasSubstr("mail/.friends: symbolic links in folders are not followed (1 in all)"));
  EXPECT_THAT(ReadBytes(model_), HasSubstr(R"("folders":[".gardens",".music"])"));
}

TEST_F(FoldersTest, AMessageThatCannotBeReadIsNamedAndTheOthersAreFitted) {
  const std::string damaged =
      directory_.Write("mail/music/damaged", std::string("\x1f\x8b\x08\0\0\0\0\0\0\0", 10));
  const Ran ran = Fit();
  EXPECT_EQ(ran.exit_code, kNoInput);
  EXPECT_THAT(ran.err, HasSubstr(damaged));
  EXPECT_THAT(ran.out, HasSubstr("24 examples"));
  EXPECT_THAT(ReadBytes(model_), HasSubstr("\nend "));
}

TEST_F(FoldersTest, WhatIsNoMailIsSkipped) {
  std::filesystem::remove_all(directory_ / "mail");
  for (const std::string about : {"gardens", "music"})
    directory_.Write("mail/" + about + "/1", "Subject: " + about + "\n\n" + Document(about, 1));
  directory_.Write("mail/music/2", Document("music", 2));
  const Ran ran = RunThresher(
      {"fit", "--folders", directory_ / "mail", "--solver", "multiclass-sdca", "--weights", model_});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, HasSubstr("mail/music/2: no mail: "));
  EXPECT_THAT(ran.out, HasSubstr("2 examples"));
}

TEST_F(FoldersTest, NamesComeBackAsTheyWere) {
  directory_.Write("mail/käse und brot/1", Document("cheese", 1));
  std::filesystem::create_directories(directory_ / "mail/empty");
  ASSERT_EQ(Fit().exit_code, 0);
  EXPECT_THAT(ReadBytes(model_), HasSubstr(R"("folders":["engines","gardens","käse und brot","music"])"));
  EXPECT_THAT(RunThresher({"classify", "--folders", model_, "--document"}, Document("cheese", 1)).out,
              StartsWith("käse und brot "));
  for (const std::string name : {"two\nlines", "\xff"}) {
    directory_.Write("mail/" + name + "/1", "x");
    const Ran ran = Fit();
    EXPECT_EQ(ran.exit_code, kData);
    EXPECT_THAT(ran.err, HasSubstr("UTF-8 without control characters"));
    std::filesystem::remove_all(directory_ / ("mail/" + name));
  }
}

TEST_F(FoldersTest, AnInterruptedFitGoesOn) {
  Fit();
  const std::string whole = ReadBytes(model_);
  const std::string state = directory_ / "state";
  Fit({"--resume", state, "--epochs", "2"});
  EXPECT_NE(ReadBytes(model_), whole);
  Fit({"--resume", state});
  EXPECT_EQ(ReadBytes(model_), whole);
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

// Messages that a user has forgotten, and corrected labels that stay, as the command line does it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ForgetTest : public StoreFixture {
 protected:
  std::string Vocabulary() const { return Run({"vocab", "--json", "--top", "0"}).out; }
};

TEST_F(ForgetTest, TakesMessagesByFileAndMessageIdAndUser) {
  for (int i = 0; i < 4; ++i) {
    Learn("--spam", SpamMessage(i));
    Learn("--ham", HamMessage(i));
    Learn("--ham", SpamMessage(i), "ann");
  }
  Learn("--ham", SpamMessage(1));  // corrected
  EXPECT_THAT(Run({"forget"}, SpamMessage(1)).out,
              AllOf(HasSubstr("1 message forgotten: 2 examples left the log"),
                    HasSubstr("until `thresher rebuild`")));
  EXPECT_EQ(Run({"forget"}, SpamMessage(1)).exit_code, kNoInput);
  EXPECT_THAT(Run({"forget"}, SpamMessage(1)).err, HasSubstr("if it is a user's, name them by --user"));
  EXPECT_EQ(Run({"forget", "--id", "<spam1@pills.example>"}).exit_code, kNoInput);
  EXPECT_THAT(Run({"forget", "--id", "<spam1@pills.example>", "--user", "bob"}).err,
              HasSubstr("was taught here for bob, or it has expired from the log; if it is another user's"));
  EXPECT_EQ(Run({"forget", "--id", "<spam2@pills.example>"}).exit_code, 0);
  const Ran list =
      Run({"forget", "--list", "-"}, "<ham0@example.org>\n<nobody@example.org>\nham1@example.org\n");
  EXPECT_EQ(list.exit_code, kNoInput);
  EXPECT_THAT(list.err,
              HasSubstr("-:2: no message with id <nobody@example.org> was taught here without a user, or "));
  EXPECT_THAT(list.out, HasSubstr("2 messages forgotten: 2 examples"));
  EXPECT_EQ(Run({"forget", "--all"}).exit_code, kUsage);
  EXPECT_EQ(Run({"forget", "--all", "--user", "bob"}).exit_code, kNoInput);
  EXPECT_EQ(Run({"forget", "--all", "--user", "ann", "message.eml"}).exit_code, kUsage);
  EXPECT_THAT(Run({"forget", "--all", "--user", "ann"}).out, HasSubstr("4 messages forgotten"));

  EXPECT_EQ(Run({"check"}).exit_code, 0) << Run({"check"}).out;
  EXPECT_THAT(Run({"check"}).out, HasSubstr("13: 1 to 13, weights up to 13; 9 of them forgotten\n"));
  EXPECT_THAT(Run({"learn", "--spam"}, SpamMessage(1)).out, HasSubstr("1 learned"));
  EXPECT_THAT(Run({"learn", "--spam"}, SpamMessage(0)).out, HasSubstr("1 known already"));
  EXPECT_EQ(Run({"rebuild"}).exit_code, 0);
  const std::string exported = Run({"export"}).out;
  EXPECT_THAT(exported,
              AllOf(Not(HasSubstr("forgotten")), Not(HasSubstr("user:ann")), Not(HasSubstr("ham1@"))));
  EXPECT_EQ(Run({"check"}).exit_code, 0) << Run({"check"}).out;
}

// Those of a message, of a user, and of the command line. They are the first keys of a table, and the last
// ones.
TEST_F(ForgetTest, NoFileOfTheStoreHasWhatWasForgotten) {
  const auto messages = [](int i) {
    return "From: ann <ann@example.org>\nMessage-ID: <" + std::string(1, static_cast<char>('a' + i)) +
           "-the-id@example.org>\nSubject: x\n\nbody\n";
  };
  const auto has = [&](const std::string& bytes) {
    std::string having;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(store_)) {
      if (entry.is_regular_file() && ReadBytes(entry.path()).find(bytes) != std::string::npos)
        having += entry.path().filename().string() + ' ';
    }
    return having;
  };
  Learn("--spam", Mailbox(26, messages));
  Learn("--ham", HamMessage(1), "zoe-the-user");
  ASSERT_EQ(Run({"rebuild"}).exit_code, 0);  // brings all of it into tables
  ASSERT_EQ(Run({"forget", "--id", "<a-the-id@example.org>"}).exit_code, 0);
  EXPECT_EQ(has("a-the-id"), "");
  ASSERT_EQ(Run({"forget", "--all", "--user", "zoe-the-user"}).exit_code, 0);
  ASSERT_EQ(Run({"rebuild"}).exit_code, 0);
  EXPECT_EQ(has("zoe-the-user"), "");
  EXPECT_EQ(Run({"forget", "--id", "<nobody-the-id@example.org>"}).exit_code, kNoInput);
  EXPECT_EQ(has("nobody-the-id"), "");
  EXPECT_THAT(ReadBytes(store_ + "/default/writer"), testing::ContainsRegex("\n[^ ]*thresher forget\n"));
}

// An empty name is nobody's, also where the configuration names somebody.
TEST_F(ForgetTest, AnEmptyUserIsNotThatOfTheConfiguration) {
  const std::string config = directory_.Write("config.yaml", "store:\n  user: bob\n");
  EXPECT_EQ(Run({"learn", "--spam", "--config", config}, SpamMessage(1)).exit_code, 0);
  EXPECT_EQ(Run({"learn", "--spam", "--config", config, "--user", ""}, SpamMessage(2)).exit_code, 0);
  EXPECT_EQ(Run({"forget", "--all", "--config", config, "--user", ""}).exit_code, kUsage);
  EXPECT_THAT(Run({"forget", "--all", "--config", config}).out, HasSubstr("1 message forgotten"));
}

TEST_F(ForgetTest, OfAUserNothingStaysInTheSpool) {
  const auto spooled = [&] {
    return std::ranges::count_if(
        std::filesystem::directory_iterator(store_ + "/default/spool"),
        [](const auto& entry) { return !entry.path().filename().native().starts_with('.'); });
  };
  Learn("--spam", SpamMessage(0), "ann");
  Learn("--ham", HamMessage(0), "bob");
  for (const std::string user : {"ann", "bob"}) {
    for (int i = 0; i < 3; ++i) Run({"classify", "--user", user}, HamMessage(i));
  }
  Run({"classify"}, HamMessage(1));
  ASSERT_EQ(spooled(), 7);
  EXPECT_THAT(Run({"forget", "--all", "--user", "ann"}).out,
              AllOf(HasSubstr("1 message forgotten"), HasSubstr("3 classified messages left the spool")));
  EXPECT_EQ(spooled(), 4);
  EXPECT_EQ(Run({"feedback", "--ham", "--id", "ham1@example.org", "--user", "ann"}).exit_code, kNoInput);
  EXPECT_EQ(Run({"feedback", "--ham", "--id", "ham1@example.org", "--user", "bob"}).exit_code, 0);
  EXPECT_EQ(Run({"forget", "--all", "--user", "ann"}).exit_code, kNoInput);
}

// Whose it is nobody can say.
TEST_F(ForgetTest, AFileOfTheSpoolThatCannotBeReadKeepsNothingElse) {
  Learn("--spam", SpamMessage(0), "ann");
  Run({"classify", "--user", "ann"}, HamMessage(1));
  const std::string unreadable = store_ + "/default/spool/0000000000000000-0000000000000000";
  std::filesystem::create_directory(unreadable);
  const Ran forgotten = Run({"forget", "--all", "--user", "ann"});
  EXPECT_EQ(forgotten.exit_code, kIo);
  EXPECT_THAT(
      forgotten.err,
      HasSubstr("none of the user's messages any more, but the spool may: cannot read " + unreadable));
  EXPECT_EQ(Run({"forget", "--id", "<spam0@pills.example>", "--user", "ann"}).exit_code, kNoInput);
  EXPECT_EQ(Run({"feedback", "--ham", "--id", "<ham1@example.org>", "--user", "ann"}).exit_code, kNoInput);
  std::filesystem::remove(unreadable);
  EXPECT_EQ(Run({"forget", "--all", "--user", "ann"}).exit_code, kNoInput);
}

// What is left of them is part of the model until it is rebuilt.
TEST_F(ForgetTest, ExportsKnowOfIt) {
  for (int i = 0; i < 6; ++i)
    Learn(i % 2 == 0 ? "--spam" : "--ham", i % 2 == 0 ? SpamMessage(i) : HamMessage(i));
  ASSERT_EQ(Run({"forget", "--id", "<spam2@pills.example>"}).exit_code, 0);
  const std::string exported = Run({"export"}).out;
  EXPECT_THAT(exported, AllOf(HasSubstr("\"label\":\"forgotten\""), Not(HasSubstr("spam2@"))));
  const std::string copy = directory_ / "copy";
  ASSERT_EQ(RunThresher({"import", "--store", copy}, exported).exit_code, 0);
  EXPECT_EQ(RunThresher({"export", "--store", copy}).out, exported);
  EXPECT_EQ(RunThresher({"check", "--store", copy}).exit_code, 0);
  EXPECT_EQ(RunThresher({"rebuild", "--store", copy}).exit_code, 0);
  EXPECT_EQ(Run({"rebuild"}).exit_code, 0);
  EXPECT_EQ(RunThresher({"vocab", "--json", "--top", "0", "--store", copy}).out, Vocabulary());
  const std::string lines = Run({"export", "--examples", "libsvm"}).out;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 5);
}

TEST_F(ForgetTest, RebuildRemembersThatLabelsWereCorrected) {
  for (int i = 0; i < 12; ++i) {
    Learn(i % 2 == 0 ? "--spam" : "--ham", i % 2 == 0 ? SpamMessage(i) : HamMessage(i));
    if (i % 4 == 0) Learn("--ham", SpamMessage(i));
    if (i % 4 == 0) Learn("--spam", SpamMessage(i));
  }
  ASSERT_EQ(Run({"rebuild"}).exit_code, 0);
  const std::string as_taught = Vocabulary();
  ASSERT_EQ(Run({"rebuild", "--corrected"}).exit_code, 0);
  const std::string corrected = Vocabulary();
  EXPECT_NE(corrected, as_taught);
  ASSERT_EQ(Run({"rebuild"}).exit_code, 0);
  EXPECT_EQ(Vocabulary(), corrected);
  ASSERT_EQ(Run({"rebuild", "--as-taught"}).exit_code, 0);
  EXPECT_EQ(Vocabulary(), as_taught);
}

}  // namespace
}  // namespace thresher::pipeline

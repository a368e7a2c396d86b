// Commands skip what is no message, say so, and can be told to take it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kFolderData[] =
    "From MAILER-DAEMON Fri Jul  8 12:08:34 2011\n"
    "Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\n"
    "X-IMAP: 1310141314 0000000000\n\nThis text is no real message.\n";

class NotMailCommands : public ::testing::Test {
 protected:
  Ran Run(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", store_});
    return RunThresher(arguments, input);
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
  std::string mail_ = directory_.Write("mail/1", SpamMessage(1));
  std::string index_ = directory_.Write("mail/uidlist", "3 V1275660208 N25022\n");
};

TEST_F(NotMailCommands, LearnSaysWhatItSkips) {
  const Ran ran = Run({"learn", "--spam", directory_ / "mail"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("1 learned, 0 corrected, 0 known already, 1 no mail"));
  EXPECT_THAT(ran.err, AllOf(HasSubstr(index_ + ": no mail: it has no header"), HasSubstr("--insist")));
  const std::string mbox = directory_.Write(
      "mbox", std::string(kFolderData) + "\nFrom a@b.example Fri Jul  8 12:08:34 2011\n" + SpamMessage(2));
  EXPECT_THAT(Run({"learn", "--spam", mbox}).out, HasSubstr("1 learned, 0 corrected, 0 known already, 1 no"));
}

TEST_F(NotMailCommands, NothingButNoMailIsAnError) {
  EXPECT_EQ(Run({"learn", "--spam", index_}).exit_code, kData);
  EXPECT_FALSE(std::filesystem::exists(store_)) << "nothing was learned, so there is no model";
  Run({"learn", "--spam", mail_});
  EXPECT_EQ(Run({"explain", index_}).exit_code, kData);
  const Ran classified = Run({"classify", index_});
  EXPECT_EQ(classified.exit_code, 3);
  EXPECT_THAT(classified.out, IsEmpty());
}

TEST_F(NotMailCommands, BothWaysToInsist) {
  EXPECT_THAT(Run({"learn", "--spam", "--insist", index_}).out, HasSubstr("1 learned"));
  EXPECT_THAT(Run({"learn", "--spam", "--document", directory_.Write("text", "a plain text\n")}).out,
              HasSubstr("1 learned"));
  EXPECT_THAT(Run({"classify", "--insist", index_}).out, HasSubstr("Unsure"));
}

TEST_F(NotMailCommands, FilterPassesEverythingOnWithAVerdict) {
  Run({"learn", "--spam", mail_});
  for (const std::string& bytes : {std::string("3 V1275660208 N25022\n"), std::string("\0\1\2", 3)}) {
    const Ran ran = Run({"filter"}, bytes);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, AllOf(StartsWith("X-Thresher: Unsure"), HasSubstr(bytes)));
  }
}

}  // namespace
}  // namespace thresher::pipeline

// Commands skip what is no message, say so, and can be told to take it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kFolderData[] =
    "From MAILER-DAEMON Fri Jul  8 12:08:34 2011\n"
    "Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\n"
    "X-IMAP: 1310141314 0000000000\n\nThis text is no real message.\n";

class NotMailCommands : public StoreFixture {
 protected:
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

TEST_F(NotMailCommands, OfManySkippedFilesAFewAreNamed) {
  for (int i = 0; i < 20; ++i) directory_.Write("beside/text" + std::to_string(10 + i), "no header\n");
  for (int i = 0; i < 2; ++i) directory_.Write("beside/binary" + std::to_string(i), std::string(100, '\0'));
  directory_.Write("beside/mail", SpamMessage(1));
  for (const auto& command : {std::vector<std::string>{"learn", "--spam"}, {"classify"}}) {
    std::vector<std::string> words = command;
    words.push_back(directory_ / "beside");
    const Ran ran = Run(words);
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 3 + 1 + 2) << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("text12: no mail: it has no header"), Not(HasSubstr("text13")),
                               HasSubstr("\nthresher: 17 more: no mail: it has no header"),
                               HasSubstr("(--verbose names them)"), HasSubstr("binary1: no mail: ")));
    words.emplace_back("--verbose");
    const Ran verbose = Run(words);
    EXPECT_EQ(std::ranges::count(verbose.err, '\n'), 22) << verbose.err;
    EXPECT_THAT(verbose.err, AllOf(HasSubstr("text29: no mail"), Not(HasSubstr("more"))));
  }
}

TEST_F(NotMailCommands, TheReasonOfManyIsToldInFull) {
  for (int i = 0; i < 5; ++i) directory_.Write("boxes/" + std::to_string(i), SpamMessage(i));
  const Ran ran = Run({"learn", "--spam", "--format", "mbox", directory_ / "boxes"});
  EXPECT_THAT(ran.err, HasSubstr("boxes/2: not an mbox: it does not begin with a From line\n"
                                 "thresher: 2 more: not an mbox: it does not begin with a From line (--"));
}

TEST_F(NotMailCommands, AnMboxThatIsNotUnderstoodIsTold) {
  const std::string odd = "From a@b.example on Friday\n" + SpamMessage(1) + "\n";
  const std::string box = directory_.Write("box", odd + odd);
  const Ran ran = Run({"learn", "--spam", box});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("1 learned, "));
  EXPECT_THAT(ran.err,
              HasSubstr(box + ": taken for one message: it begins with \"From \", but not as an mbox"));
}

TEST_F(NotMailCommands, NothingAtAllIsAnError) {
  Run({"learn", "--spam", mail_});
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"learn", "--spam"}, {"learn", "--spam", "-"}, {"explain"}, {"forget"}}) {
    const Ran ran = Run(words);
    EXPECT_EQ(ran.exit_code, kNoInput) << words[0];
    EXPECT_THAT(ran.err, HasSubstr("there is no message in the input"));
  }
  const Ran classified = Run({"classify"});
  EXPECT_EQ(classified.exit_code, 3);
  EXPECT_THAT(classified.err, HasSubstr("there is no message in the input"));
  // It is the mail system that decides what a message is.
  const Ran filtered = Run({"filter"});
  EXPECT_EQ(filtered.exit_code, 0);
  EXPECT_THAT(filtered.out, StartsWith("X-Thresher: Unsure"));
  EXPECT_EQ(std::ranges::count(filtered.out, '\n'), 1);
}

TEST_F(NotMailCommands, AnEmptyFolderOrMboxIsNothingToLearn) {
  std::filesystem::create_directory(directory_ / "empty");
  const std::string box = directory_.Write("box", "");
  const Ran one = Run({"learn", "--spam", directory_ / "empty"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, "spam: 0 learned, 0 corrected, 0 known already\n");
  const Ran both = Run({"learn", "--spam", directory_ / "empty", "--ham", box});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_THAT(both.out, AllOf(HasSubstr("ham: 0 learned, "), HasSubstr("spam: 0 learned, ")));
  EXPECT_FALSE(std::filesystem::exists(store_)) << "nothing was learned, so there is no model";
  Run({"learn", "--spam", mail_});
  EXPECT_EQ(Run({"learn", "--ham", box}).exit_code, 0);
  // Nothing on standard input beside it is the same mistake as nothing else.
  EXPECT_EQ(Run({"learn", "--ham", box, "-"}).exit_code, kNoInput);
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

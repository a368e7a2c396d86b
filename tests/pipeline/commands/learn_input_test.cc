// What `learn` takes for a message of which class.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LearnInput : public StoreFixture {
 protected:
  LearnInput() {
    directory_.Write("md/1", HamMessage(1));
    directory_.Write("md/sub/2", HamMessage(2));
    directory_.Write("md/Junk/3", SpamMessage(3));
    directory_.Write("md/Junk/sub/4", SpamMessage(4));
    std::filesystem::create_directory_symlink(directory_ / "md", directory_ / "link");
  }
};

TEST_F(LearnInput, WhatIsNamedAfterTheOtherLabelIsLeftOutOfAFolderAroundIt) {
  const std::string outer = directory_ / "md";
  const std::string inner = directory_ / "link/../md/./Junk/";
  const Ran first = Run({"learn", "--spam", inner, "--ham", outer + "/"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("ham: 2 learned, 0 corrected, 0 known already\n"
                                   "spam: 2 learned, 0 corrected, 0 known already\n"));
  EXPECT_THAT(Run({"learn", "--spam", inner, "--ham", directory_ / "link"}).out,
              HasSubstr("ham: 0 learned, 0 corrected, 2 known already\n"
                        "spam: 0 learned, 0 corrected, 2 known already\n"));
  // Of three folders within each other, the innermost that is named decides.
  EXPECT_THAT(Run({"learn", "--spam", inner, "--ham", outer, inner + "sub"}).out,
              HasSubstr("ham: 0 learned, 1 corrected, 2 known already\n"
                        "spam: 0 learned, 0 corrected, 1 known already\n"));
}

TEST_F(LearnInput, AFileIsLeftOutToo) {
  EXPECT_THAT(
      Run({"learn", "--ham", directory_ / "md/1", directory_ / "md/sub/2", "--spam", directory_ / "md"}).out,
      HasSubstr("ham: 2 learned, 0 corrected, 0 known already\n"
                "spam: 2 learned, 0 corrected, 0 known already\n"));
}

// Known messages have no turns, so those at the end leave some of the other class waiting.
TEST_F(LearnInput, WhatStillWaitsIsSaid) {
  std::vector<std::string> ham = {"learn", "--ham"};
  std::vector<std::string> spam = {"learn", "--spam"};
  for (int i = 0; i < 9; ++i) ham.push_back(directory_.Write("ham" + std::to_string(i), HamMessage(i)));
  for (int i = 0; i < 2; ++i) spam.push_back(directory_.Write("spam" + std::to_string(i), SpamMessage(i)));
  ASSERT_EQ(Run(ham).exit_code, 0);
  std::vector<std::string> twice = spam;
  for (int i = 0; i < 3; ++i) twice.push_back(spam.back());
  EXPECT_THAT(Run(twice).out,
              HasSubstr(" of ham still wait to be learned, with spam that is taught later\n"));
  EXPECT_THAT(Run({"learn", "--spam", directory_.Write("other", SpamMessage(7))}).out,
              Not(HasSubstr("still wait")));
}

// At most 30 are learned with one message.
TEST_F(LearnInput, WhatWaitedIsLearnedWithBothClassesToo) {
  const auto folder = [&](const std::string& name, int first, int end, const auto& message) {
    for (int i = first; i < end; ++i) directory_.Write(name + "/" + std::to_string(100 + i), message(i));
    return directory_ / name;
  };
  ASSERT_EQ(Run({"learn", "--ham", folder("first", 100, 200, HamMessage)}).exit_code, 0);
  EXPECT_THAT(
      Run({"learn", "--ham", folder("ham", 0, 2, HamMessage), "--spam", folder("spam", 0, 2, SpamMessage)})
          .out,
      HasSubstr("41 of ham still wait to be learned, with spam that is taught later\n"));
  EXPECT_THAT(Run({"learn", "--ham", folder("more ham", 10, 14, HamMessage), "--spam",
                   folder("more spam", 10, 14, SpamMessage)})
                  .out,
              Not(HasSubstr("still wait")));
  EXPECT_THAT(Run({"stats"}).out, Not(HasSubstr("waiting")));
}

TEST_F(LearnInput, AMessageIsTheSameOneInAnMbox) {
  const std::string message = SpamMessage(5) + "From now on\n";
  std::string quoted = message;
  quoted.insert(quoted.find("From now on"), ">");
  ASSERT_EQ(Run({"learn", "--ham", directory_.Write("file", message)}).exit_code, 0);
  const std::string box = directory_.Write("box", InMailbox(quoted));
  EXPECT_THAT(Run({"learn", "--spam", box}).out, HasSubstr("spam: 0 learned, 1 corrected, 0 known already"));
  EXPECT_THAT(Run({"forget", box}).out, HasSubstr("1 message forgotten: 2 examples"));
}

TEST_F(LearnInput, OnePlaceHasOneLabel) {
  for (const char* const other : {"md/", "link", "md/../md", "md/Junk/.."}) {
    const Ran ran = Run({"learn", "--spam", directory_ / "md", "--ham", directory_ / other});
    EXPECT_EQ(ran.exit_code, kUsage) << other;
    EXPECT_THAT(ran.err, HasSubstr(std::string(other) + ": named after --spam and after --ham"));
  }
  EXPECT_FALSE(std::filesystem::exists(store_));
}

// Without it, what lies in the folder that is meant would be taught with the other label.
TEST_F(LearnInput, NothingIsTaughtIfAPathOfTwoLabelsIsNotThere) {
  const std::string outer = directory_ / "md";
  for (const auto& [label, other] : {std::pair("--spam", "--ham"), {"--ham", "--spam"}}) {
    const Ran ran = Run({"learn", label, directory_ / "md/Jnuk", other, outer});
    EXPECT_EQ(ran.exit_code, kNoInput);
    EXPECT_THAT(ran.err, HasSubstr("md/Jnuk: No such file or directory"));
    EXPECT_EQ(ran.out, "");
  }
  std::filesystem::create_symlink("nowhere", directory_ / "broken");
  EXPECT_EQ(Run({"learn", "--spam", directory_ / "md/Junk", directory_ / "broken", "--ham", outer}).exit_code,
            kNoInput);
  EXPECT_FALSE(std::filesystem::exists(store_));
  const Ran one_label = Run({"learn", "--ham", outer, directory_ / "md/Jnuk"});
  EXPECT_EQ(one_label.exit_code, kNoInput);
  EXPECT_THAT(one_label.out, HasSubstr("ham: 4 learned"));
}

class DotNames : public StoreFixture {
 protected:
  DotNames() {
    for (const char* name : {"box/cur/1", "box/new/2", "box/.Archive/cur/3", "box/.Sent/cur/4"})
      directory_.Write(name, HamMessage(name[std::string(name).size() - 1]));
  }
  std::string box_ = directory_ / "box";
};

TEST_F(DotNames, ThatAreNotReadAreSaid) {
  const Ran ran = Run({"learn", "--ham", box_ + "/"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("ham: 2 learned"));
  EXPECT_EQ(ran.err,
            "thresher: " + box_ +
                "/: 2 folders whose names begin with a dot are not read unless named: .Archive, .Sent\n");
  directory_.Write("files/.1", HamMessage(5));
  EXPECT_EQ(Run({"classify", directory_ / "files"}).err,
            "thresher: " + directory_ / "files" +
                ": 1 file whose name begins with a dot is not read unless named: .1\n"
                "thresher: there is no message in the input\n");
}

TEST_F(DotNames, ThatAreNamedAreNot) {
  const Ran one_label = Run({"learn", "--ham", box_, box_ + "/.Archive/", box_ + "/.Sent/cur"});
  EXPECT_THAT(one_label.out, HasSubstr("ham: 4 learned"));
  EXPECT_EQ(one_label.err, "");
  EXPECT_THAT(Run({"learn", "--spam", box_ + "/.Archive", "--ham", box_}).err,
              HasSubstr("1 folder whose name begins with a dot is not read unless named: .Sent\n"));
}

TEST_F(DotNames, UnderWhichProgramsKeepSomethingElseAreNot) {
  std::filesystem::remove_all(box_ + "/.Archive");
  std::filesystem::remove_all(box_ + "/.Sent");
  for (const char* name :
       {"box/.file", "box/.git/config", "box/cur/.DS_Store", "box/new/._1", "box/.mbsyncstate"})
    directory_.Write(name, "no mail");
  directory_.Write("box/new/.empty", "");
  EXPECT_EQ(Run({"learn", "--ham", box_}).err, "");
}

TEST_F(DotNames, OfManyAFewAreNamed) {
  for (int i = 0; i < 5; ++i) directory_.Write("box/.A" + std::to_string(i) + "/.b/1", "mail");
  EXPECT_THAT(Run({"learn", "--ham", box_}).err,
              HasSubstr("7 folders whose names begin with a dot are not read "
                        "unless named: .A0, .A1, .A2 and 4 more\n"));
  EXPECT_THAT(Run({"learn", "--ham", box_, "--verbose"}).err, HasSubstr(".A2, .A3, .A4, .Archive, .Sent\n"));
  std::vector<std::string> words = {"learn", "--ham"};
  for (int i = 0; i < 5; ++i) words.push_back(box_ + "/.A" + std::to_string(i));
  EXPECT_THAT(Run(words).err,
              HasSubstr("\nthresher: 2 more: files and folders whose names begin with a dot are "
                        "not read unless named (--verbose names them)\n"));
}

}  // namespace
}  // namespace thresher::pipeline

// What `learn` takes for a message of which class.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace thresher::pipeline

// What thresher says when the model contradicts most of what it was just taught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::HasSubstr;
using testing::Not;

class DoubtfulLabelsTest : public testing::Test {
 protected:
  // A folder with `count` messages, from number `first`.
  std::string Folder(const std::string& name, std::string (*message)(int), int first, int count) const {
    for (int i = first; i < first + count; ++i) directory_.Write(name + "/" + std::to_string(i), message(i));
    return directory_ / name;
  }
  Ran Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--store", directory_ / "store"});
    return RunThresher(arguments);
  }

  TestDirectory directory_;
};

TEST_F(DoubtfulLabelsTest, ABurstOfWrongLabelsIsSaidByLearnAndStats) {
  const Ran archive = Run(
      {"learn", "--spam", Folder("spam", SpamMessage, 0, 200), "--ham", Folder("ham", HamMessage, 0, 200)});
  ASSERT_EQ(archive.exit_code, 0) << archive.err;
  EXPECT_THAT(archive.out, Not(HasSubstr("contradicts")));
  EXPECT_THAT(Run({"stats"}).out, HasSubstr("0 of 100 are contradicted by the model\n"));

  const Ran burst = Run({"learn", "--spam", Folder("burst", HamMessage, 200, 60)});
  EXPECT_EQ(burst.exit_code, 0) << burst.err;
  EXPECT_THAT(burst.out, HasSubstr("of the last 60 examples: if their labels are wrong, `thresher doubt`"));
  EXPECT_THAT(Run({"stats"}).out, HasSubstr("are contradicted by the model: `thresher doubt` lists"));

  const Ran corrected = Run({"learn", "--ham", directory_ / "burst"});
  EXPECT_THAT(corrected.out, HasSubstr("60 corrected"));
  EXPECT_THAT(corrected.out, Not(HasSubstr("contradicts")));
  EXPECT_THAT(Run({"stats"}).out, HasSubstr(" of 60 are contradicted by the model\n"));
}

// The normal way to begin.
TEST_F(DoubtfulLabelsTest, AnArchiveTaughtClassByClassIsNotDoubtful) {
  for (const std::string label : {"spam", "ham"}) {
    const Ran taught =
        Run({"learn", "--" + label, Folder(label, label == "spam" ? SpamMessage : HamMessage, 0, 200)});
    EXPECT_EQ(taught.exit_code, 0) << taught.err;
    EXPECT_THAT(taught.out, Not(HasSubstr("contradicts")));
  }
}

}  // namespace
}  // namespace thresher::pipeline

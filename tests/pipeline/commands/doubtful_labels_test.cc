// What thresher says when the model contradicts most of what it was just taught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
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
  // What `filter` makes of a message.
  std::string Filtered() const {
    return RunThresher({"filter", "--store", directory_ / "store"}, HamMessage(999)).out;
  }

  TestDirectory directory_;
};

TEST_F(DoubtfulLabelsTest, ABurstOfWrongLabelsIsSaidByLearnStatsAndFilter) {
  const Ran archive = Run(
      {"learn", "--spam", Folder("spam", SpamMessage, 0, 200), "--ham", Folder("ham", HamMessage, 0, 200)});
  ASSERT_EQ(archive.exit_code, 0) << archive.err;
  EXPECT_THAT(archive.out, Not(HasSubstr("contradicts")));
  EXPECT_THAT(Run({"stats"}).out,
              HasSubstr("\ncontradicted now 0 of the last 100\nwhen taught      0 of the last 64\n"));
  EXPECT_THAT(Filtered(), Not(HasSubstr("contradicted=")));

  const Ran burst = Run({"learn", "--force", "--spam", Folder("burst", HamMessage, 200, 60)});
  EXPECT_EQ(burst.exit_code, 0) << burst.err;
  EXPECT_THAT(burst.out, HasSubstr("of the last 60 examples: if their labels are wrong, `thresher doubt`"));
  EXPECT_THAT(Run({"stats"}).out, HasSubstr(" of the last 100: `thresher doubt` lists"));
  EXPECT_THAT(Filtered(), ContainsRegex("^X-Thresher: .*, contradicted=[0-9]+/64, key="));
  EXPECT_THAT(Run({"stats"}).out,
              ContainsRegex("\nwhen taught      [0-9]+ of the last 64, as the header of `filter` says\n"));

  const Ran corrected = Run({"learn", "--ham", directory_ / "burst"});
  EXPECT_THAT(corrected.out, HasSubstr("60 corrected")) << corrected.err;
  EXPECT_THAT(corrected.out, Not(HasSubstr("contradicts")));
  EXPECT_THAT(Run({"stats"}).out, HasSubstr(" of the last 60\nwhen taught "));
  EXPECT_THAT(Filtered(), Not(HasSubstr("contradicted=")));
}

// After three of them, which do little harm.
TEST_F(DoubtfulLabelsTest, ABurstOfWrongLabelsStopsAndAsksForForce) {
  Run({"learn", "--spam", Folder("spam", SpamMessage, 0, 100), "--ham", Folder("ham", HamMessage, 0, 100)});
  for (const std::string label : {"--spam", "--ham"}) {
    const std::string burst = Folder("as" + label, label == "--spam" ? HamMessage : SpamMessage, 200, 60);
    const Ran asked = Run({"learn", label, burst});
    EXPECT_EQ(asked.exit_code, 65);
    EXPECT_THAT(asked.err, HasSubstr("`thresher learn --force`"));
    EXPECT_EQ(asked.out, label.substr(2) + ": 3 learned, 0 corrected, 0 known already\n");
    const Ran forced = Run({"learn", label, burst, "--force"});
    EXPECT_EQ(forced.exit_code, 0) << forced.err;
    EXPECT_THAT(forced.out, Not(HasSubstr(" 0 known already")));
    EXPECT_THAT(forced.out, Not(HasSubstr(": 0 learned")));
    Run({"learn", "--force", label == "--spam" ? "--ham" : "--spam", burst});
  }
  // What was taught before, under the other label, while nothing says that it was wrong.
  const Ran again = Run({"learn", "--spam", directory_ / "ham"});
  EXPECT_EQ(again.exit_code, 65);
  EXPECT_THAT(again.err, HasSubstr("`thresher learn --force`"));
}

// Also after the note has gone, which it does while they are corrected.
TEST_F(DoubtfulLabelsTest, ManyWrongLabelsAreCorrectedAtOnce) {
  Run({"learn", "--spam", Folder("spam", SpamMessage, 0, 200), "--ham", Folder("ham", HamMessage, 0, 200)});
  Run({"learn", "--force", "--spam", Folder("burst", HamMessage, 200, 160)});
  const Ran corrected = Run({"learn", "--ham", directory_ / "burst"});
  EXPECT_EQ(corrected.exit_code, 0) << corrected.err;
  EXPECT_THAT(corrected.out, HasSubstr("ham: 0 learned, 160 corrected, 0 known already\n"));
}

// Fewer than twenty say nothing: an evening's feedback.
TEST_F(DoubtfulLabelsTest, AFewMessagesAreTaughtAsTheyAre) {
  Run({"learn", "--spam", Folder("spam", SpamMessage, 0, 100), "--ham", Folder("ham", HamMessage, 0, 100)});
  EXPECT_THAT(Run({"learn", "--spam", Folder("few", HamMessage, 200, 19)}).out, HasSubstr("19 learned"));
}

TEST_F(DoubtfulLabelsTest, StatsSayNothingOfAModelThatCannotTell) {
  Run({"learn", "--ham", Folder("ham", HamMessage, 0, 30)});
  EXPECT_THAT(
      Run({"stats"}).out,
      AllOf(HasSubstr("\ncontradicted     not known: every verdict is still Unsure\n"),
            HasSubstr("\ncalibration      p = 0.5 for every margin\n"), Not(HasSubstr("when taught"))));
  // It can tell then, but has not tested its margins yet.
  Run({"learn", "--spam", Folder("spam", SpamMessage, 0, 10)});
  EXPECT_THAT(Run({"stats"}).out, AllOf(HasSubstr("\ncontradicted now 0 of the last 40\n"),
                                        ContainsRegex("\ncalibration      p = σ\\(([0-9.]+·)?margin\\)\n")));
}

// The normal way to begin.
TEST_F(DoubtfulLabelsTest, AnArchiveTaughtClassByClassIsNotDoubtful) {
  for (const std::string label : {"spam", "ham"}) {
    const Ran taught =
        Run({"learn", "--" + label, Folder(label, label == "spam" ? SpamMessage : HamMessage, 0, 200)});
    EXPECT_EQ(taught.exit_code, 0) << taught.err;
    EXPECT_THAT(taught.out, Not(HasSubstr("contradicts")));
    EXPECT_THAT(Filtered(), Not(HasSubstr("contradicted=")));
  }
}

}  // namespace
}  // namespace thresher::pipeline

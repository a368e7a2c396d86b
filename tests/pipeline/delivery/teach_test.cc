// learn, classify, feedback: each message is learned once, is kept, and can be corrected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pipeline/error.h"
#include "tests/pipeline/delivery/teach_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(TeachTest, LearnsAndClassifies) {
  EXPECT_EQ(Thresher({"learn", "--spam"}, SpamMessage(1)).out,
            "spam: 1 learned, 0 corrected, 0 known already\n"
            "every verdict is Unsure until 10 more ham and 9 more spam messages are taught\n");
  EXPECT_EQ(Thresher({"learn", "--ham"}, HamMessage(1)).out,
            "ham: 1 learned, 0 corrected, 0 known already\n"
            "every verdict is Unsure until 9 more ham and 9 more spam messages are taught\n");
  EXPECT_GT(Margin(SpamMessage(2)), 0);
  EXPECT_LT(Margin(HamMessage(2)), 0);
}

TEST_F(TeachTest, LearningTwiceIsLearningOnce) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  const double once = Margin(SpamMessage(1));
  EXPECT_EQ(Thresher({"learn", "--spam"}, SpamMessage(1)).out,
            "spam: 0 learned, 0 corrected, 1 known already\n"
            "every verdict is Unsure until 10 more ham and 9 more spam messages are taught\n");
  EXPECT_EQ(Margin(SpamMessage(1)), once);
  EXPECT_EQ(Stats().at("spam"), 1);
}

TEST_F(TeachTest, TheOtherLabelCorrects) {
  Thresher({"learn", "--spam"}, HamMessage(1));
  const double wrong = Margin(HamMessage(1));
  EXPECT_THAT(Thresher({"learn", "--ham"}, HamMessage(1)).out,
              StartsWith("ham: 0 learned, 1 corrected, 0 known already\n"));
  EXPECT_LT(Margin(HamMessage(1)), wrong);
}

// Alice wants messages that everybody else calls spam; all give feedback on the same messages.
TEST_F(TeachTest, UsersOfOneModelHaveTheirOwnSay) {
  const auto margin = [&](const std::string& message, const std::string& user) -> double {
    return nlohmann::json::parse(Thresher({"classify", "--json", "--user", user}, message).out).at("margin");
  };
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(Thresher({"learn", "--spam", "--user", "bob"}, SpamMessage(i)).out, HasSubstr("1 learned"));
    Thresher({"learn", "--ham", "--user", "bob"}, HamMessage(i));
    EXPECT_THAT(Thresher({"learn", "--ham", "--user", "alice"}, SpamMessage(i)).out, HasSubstr("1 learned"));
  }
  EXPECT_GT(margin(SpamMessage(9), "bob"), 0);
  EXPECT_LT(margin(SpamMessage(9), "alice"), 0);
  EXPECT_LT(margin(HamMessage(9), "carol"), 0) << "a new user starts from what all have said";
  EXPECT_EQ(margin(HamMessage(9), "carol"), Margin(HamMessage(9)));
  EXPECT_EQ(Stats().at("spam"), 4);
  EXPECT_EQ(Stats().at("ham"), 8);
  EXPECT_EQ(Thresher({"check"}).exit_code, 0);
  EXPECT_THAT(Thresher({"vocab", "--field", "user", "--match", "^user:alice/subject:"}).out,
              HasSubstr("user:alice/subject:"));
}

TEST_F(TeachTest, FeedbackIsOfTheUsersCopy) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  Thresher({"filter", "--user", "alice"}, SpamMessage(7));
  Thresher({"filter", "--user", "bob"}, SpamMessage(7));
  const std::vector<std::string> spam = {"feedback", "--spam", "--id", "spam7@pills.example", "--user"};
  const auto by = [&](const std::string& user) {
    std::vector<std::string> arguments = spam;
    arguments.push_back(user);
    return Thresher(arguments);
  };
  EXPECT_EQ(by("alice").out, "<spam7@pills.example> learned as spam\n");
  EXPECT_EQ(by("alice").out, "<spam7@pills.example> known already as spam\n");
  EXPECT_EQ(by("bob").out, "<spam7@pills.example> learned as spam\n");
  EXPECT_EQ(by("carol").exit_code, kNoInput);
  EXPECT_EQ(by("a/b").exit_code, kConfig);
}

TEST_F(TeachTest, AListOfFeedback) {
  const std::string delivered =
      Mailbox(40, [](int i) { return i % 2 == 0 ? HamMessage(i) : SpamMessage(i); });
  Thresher({"classify"}, delivered);
  Thresher({"learn", "--ham"}, HamMessage(0));
  Thresher({"classify"}, delivered);
  std::string list;
  for (int i = 0; i < 40; ++i) {
    list += i % 2 == 0 ? "ham <ham" + std::to_string(i) + "@example.org>\n"
                       : "spam spam" + std::to_string(i) + "@pills.example\n";
  }
  EXPECT_EQ(Thresher({"feedback", "--list", "-"}, list).out, "39 learned, 0 corrected, 1 known already\n");
  EXPECT_EQ(Thresher({"feedback", "--list", "-"}, list).out, "0 learned, 0 corrected, 40 known already\n");
  const Ran ran =
      Thresher({"feedback", "--list",
                directory_.Write("list", "\nham spam1@pills.example\nham\nspam who@where\n" +
                                             std::string(100000, 'x') + "\nspam ham0@example.org\n")});
  EXPECT_EQ(ran.out, "0 learned, 2 corrected, 0 known already\n");
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("list:3: expected `spam` or `ham`"), HasSubstr("list:4: no message"),
                             HasSubstr("list:5: expected")));
  EXPECT_EQ(Thresher({"feedback", "--spam"}).exit_code, kUsage);
}

TEST_F(TeachTest, RebuildCorrectedForgetsMistakes) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  Thresher({"learn", "--spam"}, SpamMessage(1));
  const double right = Margin(SpamMessage(2));
  ASSERT_EQ(Thresher({"learn", "--ham"}, SpamMessage(1)).exit_code, 0);
  ASSERT_EQ(Thresher({"learn", "--spam"}, SpamMessage(1)).exit_code, 0);
  EXPECT_NE(Margin(SpamMessage(2)), right);
  EXPECT_EQ(Thresher({"rebuild", "--corrected"}).exit_code, 0);
  EXPECT_EQ(Margin(SpamMessage(2)), right);
  EXPECT_EQ(Thresher({"check"}).exit_code, 0);
}

TEST_F(TeachTest, RebuildChangesTheLearner) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  Thresher({"learn", "--ham"}, HamMessage(1));
  Thresher({"learn", "--ham"}, SpamMessage(1));
  const double before = Margin(SpamMessage(2));
  const Ran refused = Thresher({"learn", "--ham", "--learner", "lazy-sgd"}, HamMessage(2));
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("ftrl, not lazy-sgd"), HasSubstr("rebuild")));

  const Ran rebuilt = Thresher({"rebuild", "--learner", "lazy-sgd", "--set", "learner.options.l1=1e-05"});
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  EXPECT_THAT(rebuilt.out, AllOf(ContainsRegex("^was     2 ham, 1 spam, [0-9]+ non-zero weights\n"
                                               "is      2 ham, 1 spam, [0-9]+ non-zero weights\n"
                                               "learner lazy-sgd, was adaptive-ftrl: "),
                                 HasSubstr("l1=1e-05")));
  // Of the options only those that changed.
  const Ran again = Thresher({"rebuild", "--set", "learner.options.l1=2e-05"});
  EXPECT_THAT(again.out, EndsWith("\nlearner lazy-sgd: l1=2e-05, was 1e-05\n"));
  EXPECT_THAT(Thresher({"rebuild"}).out, EndsWith("\nlearner lazy-sgd, as before\n"));
  EXPECT_EQ(Stats().at("learner"), "lazy-sgd");
  EXPECT_NE(Margin(SpamMessage(2)), before);
  EXPECT_THAT(Thresher({"learn", "--ham"}, SpamMessage(1)).out, HasSubstr("1 known already"));

  EXPECT_THAT(Thresher({"rebuild", "--learner", "adaptive-ftrl"}).out,
              HasSubstr("\nlearner adaptive-ftrl, was lazy-sgd: "));
  EXPECT_EQ(Margin(SpamMessage(2)), before);
}

TEST_F(TeachTest, RebuildTakesAPresetThatAnExistingModelRefuses) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  const Ran refused = Thresher({"learn", "--ham", "--preset", "sparse"}, HamMessage(1));
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_THAT(refused.err, HasSubstr("rebuild"));
  EXPECT_THAT(Thresher({"learn", "--ham", "--preset", "fast"}, HamMessage(1)).err, HasSubstr("features."));
  EXPECT_THAT(Thresher({"rebuild", "--preset", "sparse"}).out, HasSubstr("l1=0.002"));
  EXPECT_EQ(Thresher({"learn", "--ham", "--preset", "sparse"}, HamMessage(1)).exit_code, 0);
}

TEST_F(TeachTest, RebuildByAPresetLeavesNothingOfTheOneBefore) {
  Thresher({"learn", "--spam", "--preset", "tiny"}, SpamMessage(1));
  EXPECT_THAT(Thresher({"export"}).out, AllOf(HasSubstr("draws=6"), HasSubstr("l1_growth=0.5")));
  EXPECT_THAT(Thresher({"rebuild", "--preset", "sparse"}).out,
              HasSubstr("\nlearner ftrl: alpha=2.5, was 3; "));
  EXPECT_THAT(Thresher({"export"}).out, AllOf(Not(HasSubstr("draws=6")), Not(HasSubstr("l1_growth=0.5"))));
  const Ran by_default = Thresher({"rebuild", "--preset", "default", "--set", "learner.options.l1=1e-05"});
  EXPECT_THAT(by_default.out, AllOf(HasSubstr("\nlearner adaptive-ftrl, was ftrl: "), HasSubstr("l1=1e-05")));
  EXPECT_THAT(Thresher({"rebuild"}).out, EndsWith("\nlearner adaptive-ftrl, as before\n"));
}

TEST_F(TeachTest, NothingToRebuild) {
  const Ran ran = Thresher({"rebuild"});
  EXPECT_EQ(ran.exit_code, kNoInput);
  EXPECT_THAT(ran.err, HasSubstr("there is no model at"));
}

TEST_F(TeachTest, OurHeaderAndDeliveryChangeNoKey) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  const Ran filtered = Thresher({"filter"}, "From x@example.org Mon Jan  2 15:04:05 2006\n" + SpamMessage(1));
  EXPECT_THAT(Thresher({"learn", "--spam"}, filtered.out).out, HasSubstr("1 known already"));
}

TEST_F(TeachTest, FeedbackTeachesWhatWasOnlyFiltered) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  Thresher({"filter"}, SpamMessage(7));
  EXPECT_EQ(Thresher({"feedback", "--spam", "--id", "<spam7@pills.example>"}).out,
            "<spam7@pills.example> learned as spam\n");
  EXPECT_GT(Margin(SpamMessage(8)), 0);
  EXPECT_THAT(Thresher({"feedback", "--spam", "--id", "spam7@pills.example"}).out,
              HasSubstr("known already"));
  EXPECT_THAT(Thresher({"feedback", "--ham", "--id", "spam7@pills.example"}).out, HasSubstr("corrected"));
  EXPECT_EQ(Thresher({"feedback", "--ham", "--id", "< spam7@ pills.example>"}).out,
            "<spam7@pills.example> known already as ham\n");
  EXPECT_THAT(RunThresher({"feedback", "--help"}).out, HasSubstr("spaces in it do not count"));
  // Tokens learned from the spool have their texts.
  const Ran vocab = Thresher({"vocab", "--top", "0"});
  EXPECT_EQ(vocab.exit_code, 0) << vocab.err;
  EXPECT_THAT(vocab.out, HasSubstr("subject:"));
}

// With ftrl: the default learner also sees from a reply that the verdict was wrong.
TEST_F(TeachTest, FeedbackEqualsLearningTheMessage) {
  Thresher({"learn", "--ham", "--learner", "ftrl"}, HamMessage(1));
  Thresher({"classify"}, SpamMessage(7));
  Thresher({"feedback", "--spam", "--id", "spam7@pills.example"});
  TestDirectory other;
  RunThresher({"learn", "--ham", "--learner", "ftrl", "--store", other / "store"}, HamMessage(1));
  RunThresher({"learn", "--spam", "--store", other / "store"}, SpamMessage(7));
  const nlohmann::json there = nlohmann::json::parse(
      RunThresher({"classify", "--json", "--store", other / "store"}, SpamMessage(9)).out);
  EXPECT_EQ(Margin(SpamMessage(9)), there.at("margin").get<double>());
}

TEST_F(TeachTest, FeedbackOnAnUnknownMessage) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  const Ran ran = Thresher({"feedback", "--spam", "--id", "nobody@example.org"});
  EXPECT_EQ(ran.exit_code, 66);
  EXPECT_THAT(ran.err, HasSubstr("no message with id <nobody@example.org> was classified or taught here "
                                 "without a user; if it is a user's, name them by --user"));
  Thresher({"filter", "--user", "alice"}, SpamMessage(7));
  const Ran of_bob = Thresher({"feedback", "--spam", "--id", "spam7@pills.example", "--user", "bob"});
  EXPECT_EQ(of_bob.exit_code, 66);
  EXPECT_THAT(of_bob.err, HasSubstr("taught here for bob; if it is another user's, name them by --user"));
}

TEST_F(TeachTest, FeedbackOnACopiedMessageIdAsksForTheKey) {
  Thresher({"learn", "--ham"}, HamMessage(1));
  Thresher({"classify"}, "Message-ID: <same@example.org>\n\none body\n");
  Thresher({"classify"}, "Message-ID: <same@example.org>\n\nanother body\n");
  const Ran ran = Thresher({"feedback", "--spam", "--id", "same@example.org"});
  EXPECT_EQ(ran.exit_code, 65);
  const std::string key = ran.err.substr(ran.err.size() - 33, 32);
  EXPECT_EQ(Thresher({"feedback", "--spam", "--id", "same@example.org", "--key", key}).exit_code, 0);
}

TEST_F(TeachTest, ClassifyExitCodes) {
  EXPECT_EQ(Thresher({"classify"}, SpamMessage(1)).exit_code, 3) << "no store";
  for (int i = 0; i < 120; ++i) {
    directory_.Write("spam/" + std::to_string(i), SpamMessage(i));
    directory_.Write("ham/" + std::to_string(i), HamMessage(i));
  }
  Thresher({"learn", "--spam", directory_ / "spam"});
  Thresher({"learn", "--ham", directory_ / "ham"});
  EXPECT_EQ(
      Thresher({"classify", "--set", "thresholds.spam=0.5", "--set", "thresholds.ham=0.4"}, SpamMessage(200))
          .exit_code,
      0);
  EXPECT_EQ(Thresher({"classify", "--set", "thresholds.ham=0.4"}, HamMessage(200)).exit_code, 1);
  EXPECT_EQ(Thresher({"classify", "--set", "thresholds.spam=1", "--set", "thresholds.ham=0"}, HamMessage(200))
                .exit_code,
            2);
  EXPECT_EQ(Thresher({"classify", directory_ / "spam", directory_ / "ham"}).exit_code, 0);
  EXPECT_EQ(Thresher({"classify", directory_ / "nothing-here"}).exit_code, 3);
}

TEST_F(TeachTest, ClassifyPrintsColumns) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  directory_.Write("in/a", SpamMessage(2));
  directory_.Write("in/b", "Subject: \n\n");
  const Ran ran = Thresher({"classify", directory_ / "in"});
  const size_t second = ran.out.find('\n') + 1;
  EXPECT_EQ(ran.out.find(directory_ / "in"), ran.out.find(directory_ / "in", second) - second) << ran.out;
}

TEST_F(TeachTest, AnotherLearnerIsRefusedByName) {
  Thresher({"learn", "--spam", "--learner", "lazy-fobos"}, SpamMessage(1));
  EXPECT_EQ(Thresher({"learn", "--ham"}, HamMessage(1)).exit_code, 0)
      << "the model's own learner wins over the default";
  const Ran ran = Thresher({"learn", "--spam", "--learner", "lazy-sgd"}, SpamMessage(2));
  EXPECT_EQ(ran.exit_code, 78);
  EXPECT_THAT(ran.err, testing::AllOf(HasSubstr("lazy-fobos"), HasSubstr("lazy-sgd")));
}

TEST_F(TeachTest, NamingTheLearnerAModelHasIsNoConflict) {
  Thresher({"learn", "--spam", "--set", "learner.options.l1=1e-5"}, SpamMessage(1));
  EXPECT_EQ(Thresher({"learn", "--ham", "--set", "learner.options.l1=1e-5"}, HamMessage(1)).exit_code, 0);
  EXPECT_EQ(Thresher({"learn", "--ham", "--set", "learner.options.l1=1e-4"}, HamMessage(2)).exit_code, 78);
}

TEST_F(TeachTest, OtherFeaturesAreRefused) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  EXPECT_EQ(Thresher({"learn", "--spam", "--set", "features.urls=false"}, SpamMessage(2)).exit_code, 78);
}

TEST_F(TeachTest, MessagesThatCannotBeReadDoNotStopTheOthers) {
  directory_.Write("a", SpamMessage(1));
  const Ran ran = Thresher({"learn", "--spam", directory_ / "missing", directory_ / "a"});
  EXPECT_EQ(ran.exit_code, 66);
  EXPECT_THAT(ran.out, HasSubstr("1 learned"));
  EXPECT_THAT(ran.err, HasSubstr("missing"));
}

TEST_F(TeachTest, ReadOnlyDirectoryIsACleanError) {
  std::filesystem::permissions(directory_.path(),
                               std::filesystem::perms::others_exec | std::filesystem::perms::owner_exec);
  const Ran ran =
      RunThresher({"learn", "--spam", "--store", directory_ / "store"}, SpamMessage(1), As::kNobody);
  std::filesystem::permissions(directory_.path(), std::filesystem::perms::owner_all);
  EXPECT_EQ(ran.exit_code, 73);
  EXPECT_THAT(ran.err, HasSubstr(directory_ / "store"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "store"));
}

TEST_F(TeachTest, DocumentsAreTextWithoutHeaders) {
  EXPECT_EQ(Thresher({"learn", "--spam", "--document"}, "win a free prize now").exit_code, 0);
  EXPECT_EQ(Thresher({"learn", "--ham", "--document"}, "see you at home").exit_code, 0);
  const auto tokens = nlohmann::json::parse(Thresher({"vocab", "--json", "--top", "0"}).out).at("tokens");
  for (const auto& token : tokens) EXPECT_NE(token.at("field"), "subject");
}

}  // namespace
}  // namespace thresher::pipeline

#include "pipeline/model/taught.h"

#include <gtest/gtest.h>

#include <random>

namespace thresher::pipeline {
namespace {

using learners::Label;

void Add(TaughtCounts* taught, Label label, int count) {
  for (int i = 0; i < count; ++i) taught->Add(label, Evidence::kArchive);
}

TEST(TaughtCounts, CountsRunsOfEitherClass) {
  TaughtCounts taught;
  Add(&taught, Label::kHam, 3);
  EXPECT_EQ(taught.run, -3);
  Add(&taught, Label::kSpam, 1);
  EXPECT_EQ(taught.run, 1);
  Add(&taught, Label::kSpam, 4);
  EXPECT_EQ(taught.run, 5);
  EXPECT_EQ(taught.ham, 3U);
  EXPECT_EQ(taught.spam, 5U);
}

TEST(TaughtCounts, SortedMailIsNoChance) {
  TaughtCounts taught;
  Add(&taught, Label::kSpam, 100);
  EXPECT_FALSE(taught.CouldBeChance());
  Add(&taught, Label::kHam, 9);
  EXPECT_TRUE(taught.CouldBeChance());
  Add(&taught, Label::kHam, 10);
  EXPECT_FALSE(taught.CouldBeChance());
}

TEST(TaughtCounts, LongRunsOfTheCommonClassAreChance) {
  TaughtCounts taught;
  std::mt19937 random(1);
  int unfair = 0;
  for (int i = 0; i < 20000; ++i) {
    taught.Add(random() % 30 == 0 ? Label::kSpam : Label::kHam, Evidence::kArchive);
    unfair += taught.IsFair(Evidence::kArchive) ? 0 : 1;
  }
  EXPECT_LT(unfair, 200);
  EXPECT_FALSE(taught.IsFair(Evidence::kReply));
}

TEST(TaughtCounts, TellsOnceBothClassesAreKnownOrMailStreams) {
  TaughtCounts taught;
  Add(&taught, Label::kSpam, 500);
  EXPECT_FALSE(taught.CanTell());
  Add(&taught, Label::kHam, 9);
  EXPECT_FALSE(taught.CanTell());
  Add(&taught, Label::kHam, 1);
  EXPECT_TRUE(taught.CanTell());
  TaughtCounts streaming;
  streaming.Add(Label::kSpam, Evidence::kStream);
  EXPECT_TRUE(streaming.CanTell());
}

// What else it was taught does not count: the stream may have been corrected, or gone on by itself.
TEST(TaughtCounts, AStreamTellsIfItIsMoreThanWhatWasKept) {
  TaughtCounts taught;
  Add(&taught, Label::kSpam, 500);
  taught.Add(Label::kSpam, Evidence::kStream);
  EXPECT_FALSE(taught.CanTell()) << "one message of a stream behind an archive of one class";
  EXPECT_EQ(taught.Needed(Label::kHam), 10U);
  for (int i = 0; i < 500; ++i) taught.Add(Label::kSpam, Evidence::kStream);
  EXPECT_TRUE(taught.CanTell());
  TaughtCounts streaming;
  streaming.Add(Label::kSpam, Evidence::kStream);
  for (const Evidence evidence :
       {Evidence::kReply, Evidence::kCorrection, Evidence::kSelf, Evidence::kSample})
    streaming.Add(Label::kSpam, evidence);
  EXPECT_TRUE(streaming.CanTell());
}

TEST(TaughtCounts, SaysWhatItNeeds) {
  TaughtCounts taught;
  EXPECT_EQ(taught.Needed(Label::kHam), 10U);
  for (int i = 0; i < 12; ++i) taught.Add(Label::kSpam, Evidence::kArchive);
  taught.Add(Label::kHam, Evidence::kReply);
  EXPECT_EQ(taught.Needed(Label::kSpam), 0U);
  EXPECT_EQ(taught.Needed(Label::kHam), 9U);
  for (int i = 0; i < 13; ++i) taught.Add(Label::kSpam, Evidence::kStream);
  EXPECT_EQ(taught.Needed(Label::kHam), 0U)
      << "mail as it comes tells something, if it is most of what was taught";
}

// What was corrected is no example of the class that it was taken from.
TEST(TaughtCounts, CorrectedMailIsKnownOfItsNewClassOnly) {
  TaughtCounts taught;
  Add(&taught, Label::kHam, 12);
  for (int i = 0; i < 12; ++i) taught.Add(Label::kSpam, Evidence::kCorrection);
  EXPECT_TRUE(taught.LacksAClass());
  Add(&taught, Label::kSpam, 600);
  EXPECT_FALSE(taught.KnowsBoth());
  EXPECT_FALSE(taught.CanTell());
  EXPECT_EQ(taught.Needed(Label::kHam), 10U);
  EXPECT_EQ(taught.MarginFactor(), 1);
  EXPECT_TRUE(taught.IsSound());
  Add(&taught, Label::kHam, 10);
  EXPECT_TRUE(taught.CanTell());
  EXPECT_EQ(taught.MarginFactor(), (TaughtCounts{.ham = 10, .spam = 612}.MarginFactor()));

  TaughtCounts one;
  Add(&one, Label::kHam, 1);
  for (int i = 0; i < 22; ++i) one.Add(i % 2 == 0 ? Label::kSpam : Label::kHam, Evidence::kCorrection);
  EXPECT_EQ(one.Needed(Label::kHam), 9U) << "one message, however often its label changed";
  EXPECT_EQ(one.Needed(Label::kSpam), 10U);
  EXPECT_TRUE(one.IsSound());
  one.ham_corrected = 12;
  EXPECT_FALSE(one.IsSound()) << "each correction of ham taught a spam";
}

TEST(TaughtCounts, FewExamplesHaveSmallMargins) {
  const auto factor = [](uint64_t ham, uint64_t spam) {
    return TaughtCounts{.ham = ham, .spam = spam}.MarginFactor();
  };
  EXPECT_EQ(factor(1000, 0), 1);
  EXPECT_EQ((TaughtCounts{.ham = 10, .spam = 10, .streamed = 1}.MarginFactor()), 1);
  EXPECT_EQ(factor(10, 100), factor(100, 10));
  EXPECT_LT(factor(10, 100), 0.9);
  EXPECT_DOUBLE_EQ(factor(10, 10), 1.6);
  for (uint64_t known = 1; known < 10; ++known) EXPECT_LT(factor(known, known), factor(known + 1, known + 1));
  for (uint64_t known = 10; known < 99; ++known)
    EXPECT_GT(factor(known, known), factor(known + 1, known + 1));
  EXPECT_LT(factor(200, 200), 0.79);
  EXPECT_GT(factor(200, 200), 0.78);
}

// The margins of a model that is only taught its mistakes are too small.
TEST(TaughtCounts, AnswersNeedLessCautionThanKeptMail) {
  const auto factor = [](uint64_t of_each, uint64_t answered) {
    return TaughtCounts{.ham = of_each, .spam = of_each, .answered = answered}.MarginFactor();
  };
  EXPECT_DOUBLE_EQ(factor(10, 20), 5);
  for (const uint64_t of_each : {10U, 50U, 1000U}) {
    EXPECT_LT(factor(of_each, 0), factor(of_each, of_each));
    EXPECT_LT(factor(of_each, of_each), factor(of_each, 2 * of_each));
  }
  EXPECT_LT(factor(200, 400), 2.81);
  EXPECT_GT(factor(200, 400), 2.8);

  TaughtCounts taught;
  for (const Evidence evidence : {Evidence::kStream, Evidence::kArchive, Evidence::kReply,
                                  Evidence::kCorrection, Evidence::kSelf, Evidence::kSample})
    taught.Add(Label::kHam, evidence);
  EXPECT_EQ(taught.answered, 2U);
}

TEST(TaughtCounts, AReplyAmongFewMustReachALargerMargin) {
  const auto enough = [](uint64_t answered) {
    return TaughtCounts{.ham = 100, .spam = 100, .answered = answered}.EnoughMargin();
  };
  EXPECT_EQ(enough(0), 8);
  EXPECT_EQ(enough(100), 19);
  EXPECT_EQ(enough(200), 30);
}

TEST(TaughtCounts, TheLearnedMapIsDoubtedUntilMailCameAsItComes) {
  TaughtCounts taught;
  taught.Add(Label::kSpam, Evidence::kArchive);
  taught.Add(Label::kHam, Evidence::kReply);
  EXPECT_GT(taught.DoubtInMap(), 0);
  taught.Add(Label::kHam, Evidence::kStream);
  EXPECT_EQ(taught.DoubtInMap(), 0);
}

// Before, no verdict can have been a mistake.
TEST(Evidence, AReplyIsAMistakeOnceThereIsASampleOfEachClass) {
  TaughtCounts taught;
  for (int i = 0; i < 19; ++i) {
    taught.Add(i % 2 == 0 ? Label::kHam : Label::kSpam, Evidence::kSample);
    EXPECT_EQ(taught.OccasionOf(Evidence::kReply), learners::Occasion::kAgain) << i;
    EXPECT_EQ(taught.OccasionOf(Evidence::kSample), learners::Occasion::kNew) << i;
    EXPECT_FALSE(taught.CanTell()) << i;
  }
  taught.Add(Label::kSpam, Evidence::kReply);
  EXPECT_TRUE(taught.OccasionOf(Evidence::kReply).IsMistake());
}

TEST(Evidence, IsStoredWithItsTurns) {
  for (int turns = 0; turns <= kMostTurns; ++turns) {
    const uint8_t stored = StoredEvidence(Evidence::kArchive, static_cast<uint8_t>(turns));
    EXPECT_EQ(EvidenceIn(stored), Evidence::kArchive);
    EXPECT_EQ(TurnsIn(stored), turns);
    EXPECT_TRUE(IsSoundEvidence(stored));
  }
  EXPECT_EQ(StoredEvidence(Evidence::kArchive, 1), 1) << "as it was stored without turns";
  EXPECT_EQ(StoredEvidence(Evidence::kReply, 5), 2);
  EXPECT_TRUE(IsSoundEvidence(5));
  EXPECT_FALSE(IsSoundEvidence(6));
  EXPECT_FALSE(IsSoundEvidence(8));
}

// Each number grows by one with each example.
TEST(TaughtCounts, NumbersNearTheirLimitAreNotSound) {
  constexpr uint64_t kMost = kMostExamples;
  EXPECT_TRUE((TaughtCounts{.ham = kMost, .spam = kMost}.IsSound()));
  EXPECT_FALSE((TaughtCounts{.ham = kMost + 1}.IsSound()));
  EXPECT_FALSE((TaughtCounts{.spam = kMost + 1}.IsSound()));
}

}  // namespace
}  // namespace thresher::pipeline

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

}  // namespace
}  // namespace thresher::pipeline

// What counts as contradicted, and that it is stored with the globals.
#include "pipeline/model/contradictions.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "learners/registry.h"
#include "pipeline/model/globals.h"

namespace thresher::pipeline {
namespace {

constexpr TaughtCounts kKnowsBoth{.ham = 50, .spam = 50};

Contradictions After(int wrong, int right) {
  Contradictions last;
  for (int i = 0; i < wrong; ++i) last.Add(kKnowsBoth, Label::kSpam, Evidence::kArchive, -1);
  for (int i = 0; i < right; ++i) last.Add(kKnowsBoth, Label::kSpam, Evidence::kArchive, 1);
  return last;
}

TEST(ContradictionsTest, MoreThanAQuarterOfTheLastAreMany) {
  EXPECT_FALSE(After(19, 0).AreMany());
  EXPECT_TRUE(After(20, 0).AreMany());
  EXPECT_TRUE(After(17, 47).AreMany());
  EXPECT_FALSE(After(16, 48).AreMany());
  EXPECT_FALSE(After(64, 48).AreMany());
  EXPECT_EQ(After(100, 0).examples, Contradictions::kMost);
  EXPECT_EQ(After(100, 0).number(), Contradictions::kMost);
}

TEST(ContradictionsTest, RepliesAndWhatTheModelCannotTellDoNotCount) {
  Contradictions last;
  last.Add(kKnowsBoth, Label::kSpam, Evidence::kReply, -1);
  last.Add({.ham = 9, .spam = 50}, Label::kSpam, Evidence::kArchive, -1);
  EXPECT_EQ(last, Contradictions());
  last.Add(kKnowsBoth, Label::kSpam, Evidence::kCorrection, -1);
  EXPECT_EQ(last, (Contradictions{.flags = 0, .examples = 1}));
}

TEST(ContradictionsTest, AreStoredWithTheGlobals) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  for (const bool rehearses : {false, true}) {
    ModelGlobals globals(*learner);
    if (rehearses) globals.rehearsal().Add(Label::kHam, {.seq = 1, .message = 2}, {.examples = 10});
    ModelGlobals read(*learner);
    read.contradictions() = After(3, 0);
    ASSERT_TRUE(read.Assign(globals.Stored()));  // as programs wrote that did not count them
    EXPECT_EQ(read.contradictions(), Contradictions());
    for (const Contradictions& some : {After(3, 0), After(0, 1), After(1, 63)}) {
      globals.contradictions() = some;
      ASSERT_TRUE(read.Assign(globals.Stored()));
      EXPECT_EQ(read.contradictions(), some);
      EXPECT_EQ(read.rehearsal(), globals.rehearsal());
      std::vector<std::byte> wrong = globals.Stored();
      wrong.back() = std::byte{1};  // more examples than there can be
      EXPECT_FALSE(read.Assign(wrong));
    }
  }
}

}  // namespace
}  // namespace thresher::pipeline

// What a model keeps with its weights is stored whole, and read as older programs wrote it.
#include "pipeline/model/globals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "learners/registry.h"

namespace thresher::pipeline {
namespace {

// Each part that globals may end with is there or not.
TEST(ModelGlobalsTest, AreReadAsTheyWereStored) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  for (unsigned parts = 0; parts < 512; ++parts) {
    ModelGlobals globals(*learner);
    globals.facts().calibration.trust = 7;
    globals.facts().taught.spam = 9;
    globals.learner().front() = std::byte{7};
    globals.learner().back() = std::byte{8};
    const learners::RehearsalLimits ten = {.examples = 10};
    const uint32_t bytes = (parts & 16U) != 0 ? 100 : 0;
    if ((parts & 1U) != 0)
      globals.rehearsal().Add(Label::kHam, {.seq = 1, .message = 2, .bytes = bytes}, ten);
    if ((parts & 2U) != 0) globals.contradictions() = {.flags = 1, .examples = 3};
    if ((parts & 4U) != 0) globals.facts().calibration.share_wrong = 0.0125;
    if ((parts & 8U) != 0) globals.last_reply() = {.message = 1, .taught = 20, .excess = 1.5};
    if ((parts & 32U) != 0) globals.facts().taught.answered = 5;
    if ((parts & 64U) != 0) globals.facts().taught.ham_corrected = 3;
    if ((parts & 128U) != 0) globals.facts().taught.spam_corrected = 4;
    if ((parts & 256U) != 0) globals.facts().taught.kept = 8;
    ModelGlobals read(*learner);
    read.facts().calibration.share_wrong = 0.09;
    read.facts().taught.answered = 6;
    read.facts().taught.spam_corrected = 6;
    read.facts().taught.kept = 1;
    read.last_reply() = {.message = 2, .taught = 2, .excess = 2};
    ASSERT_TRUE(read.Assign(globals.Stored())) << parts;
    EXPECT_EQ(read.Stored(), globals.Stored()) << parts;
    EXPECT_EQ(read.facts().calibration.share_wrong, globals.facts().calibration.share_wrong);
    EXPECT_EQ(read.facts().calibration.trust, globals.facts().calibration.trust);
    EXPECT_EQ(read.facts().taught.spam, globals.facts().taught.spam);
    EXPECT_EQ(read.facts().taught.answered, globals.facts().taught.answered);
    EXPECT_EQ(read.facts().taught.ham_corrected, globals.facts().taught.ham_corrected);
    EXPECT_EQ(read.facts().taught.spam_corrected, globals.facts().taught.spam_corrected);
    EXPECT_EQ(read.facts().taught.kept, globals.facts().taught.kept);
    EXPECT_TRUE(std::ranges::equal(read.learner(), globals.learner()));
    EXPECT_EQ(read.rehearsal(), globals.rehearsal());
    EXPECT_EQ(read.contradictions(), globals.contradictions());
    EXPECT_EQ(read.last_reply(), globals.last_reply());
  }
}

// Before format 11 replies were not counted: margins are read as those of kept mail.
TEST(ModelGlobalsTest, WithoutANumberOfAnswersThereAreNone) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  ModelGlobals globals(*learner);
  globals.facts().calibration.share_wrong = 0.0125;
  globals.facts().taught.ham = 9;
  const std::vector<std::byte> before = globals.Stored();
  globals.facts().taught.answered = 9;
  EXPECT_EQ(globals.Stored().size(), before.size() + 2 * sizeof(uint64_t)) << "the number and its mark";
  ModelGlobals read(*learner);
  ASSERT_TRUE(read.Assign(globals.Stored()));
  ASSERT_TRUE(read.AreSound(*learner));
  ASSERT_TRUE(read.Assign(before));
  EXPECT_EQ(read.facts().taught.answered, 0U);
  EXPECT_EQ(read.facts().taught.ham, 9U);
  globals.facts().taught.answered = 10;
  ASSERT_TRUE(read.Assign(globals.Stored()));
  EXPECT_FALSE(read.AreSound(*learner)) << "more answers than examples";
}

// Before format 12 corrections were not counted: what was corrected is known of both classes.
TEST(ModelGlobalsTest, WithoutANumberOfCorrectionsThereAreNone) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  ModelGlobals globals(*learner);
  globals.facts().taught.ham = 9;
  globals.facts().taught.spam = 9;
  globals.facts().taught.answered = 5;
  const std::vector<std::byte> before = globals.Stored();
  globals.facts().taught.ham_corrected = 9;
  EXPECT_EQ(globals.Stored().size(), before.size() + 2 * sizeof(uint64_t)) << "the number and its mark";
  ModelGlobals read(*learner);
  ASSERT_TRUE(read.Assign(globals.Stored()));
  ASSERT_TRUE(read.AreSound(*learner));
  EXPECT_EQ(read.facts().taught.Known(Label::kHam), 0U);
  ASSERT_TRUE(read.Assign(before));
  EXPECT_EQ(read.facts().taught.Known(Label::kHam), 9U);
}

// Before format 9 nothing was known of wrong labels: the calibration begins with what a new one has.
TEST(ModelGlobalsTest, WithoutAShareOfWrongLabelsItIsThatOfANewModel) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  ModelGlobals globals(*learner);
  globals.facts().calibration.share_wrong = 0.0125;
  std::vector<std::byte> stored = globals.Stored();
  stored.resize(stored.size() - 2 * sizeof(double));  // the share and its mark
  ModelGlobals read(*learner);
  ASSERT_TRUE(read.Assign(stored));
  EXPECT_EQ(read.facts().calibration.share_wrong, learners::Calibration().share_wrong);
}

// Format 2 had no trust either: it began with all of it. What follows the calibration stays where it was.
TEST(ModelGlobalsTest, WithoutTrustTheLearnedMapHasAllOfIt) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  ModelGlobals globals(*learner);
  globals.facts().taught.spam = 9;
  globals.learner().front() = std::byte{7};
  globals.learner().back() = std::byte{8};
  std::vector<std::byte> stored = globals.Stored();
  const auto trust = stored.begin() + offsetof(learners::Calibration, trust);
  stored.erase(trust, trust + sizeof(double));
  ModelGlobals read(*learner);
  ASSERT_TRUE(read.Assign(stored));
  EXPECT_EQ(read.facts().calibration.trust, 1000);
  EXPECT_EQ(read.facts().calibration.share_wrong, learners::Calibration().share_wrong);
  EXPECT_EQ(read.facts().taught.spam, 9U);
  EXPECT_TRUE(std::ranges::equal(read.learner(), globals.learner()));
}

// An archive of both classes in turn teaches the calibration, which is then believed less than after a
// stream.
TEST(ModelGlobalsTest, KeptMailIsReadWithCaution) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  const auto taught_as = [&](Evidence evidence) {
    ModelGlobals globals(*learner);
    for (int i = 0; i < 100; ++i)
      globals.facts().Count(i % 2 == 0 ? Label::kSpam : Label::kHam, evidence, i % 2 == 0 ? 0.5 : -0.5);
    return globals.facts();
  };
  const auto sigma = [](double a) { return 1 / (1 + std::exp(-a)); };
  const ModelGlobals::Facts kept = taught_as(Evidence::kArchive);
  const ModelGlobals::Facts streamed = taught_as(Evidence::kStream);
  ASSERT_EQ(kept.calibration.slope, streamed.calibration.slope);
  ASSERT_EQ(kept.calibration.trust, streamed.calibration.trust);
  const double slope = kept.calibration.slope;
  const double intercept = kept.calibration.intercept;
  const auto mean = [&](double factor, double share) {
    return share * sigma(slope * factor * 0.5 + intercept) + (1 - share) * sigma(factor * 0.5);
  };
  const double trust = kept.calibration.trust;
  EXPECT_NEAR(streamed.Probability(0.5, true), mean(1, sigma(trust)), 1e-12);
  EXPECT_NEAR(streamed.Probability(0.5, false), mean(1, sigma(trust)), 1e-12);
  EXPECT_NEAR(kept.Probability(0.5, false), mean(1, sigma(trust)), 1e-12);
  const double cautious = kept.Probability(0.5, true);
  EXPECT_NEAR(cautious, mean(kept.taught.MarginFactor(), sigma(trust - TaughtCounts::kDoubt)), 1e-12);
  EXPECT_LT(cautious, streamed.Probability(0.5, true));
}

TEST(ModelGlobalsTest, AShareThatNoCalibrationHasIsUnsound) {
  const auto learner = learners::MakeLearner("adaptive-ftrl", {}).value();
  for (const double share : {-0.01, 0.0, 0.2, 1.0}) {
    ModelGlobals globals(*learner);
    globals.facts().calibration.share_wrong = share;
    ModelGlobals read(*learner);
    ASSERT_TRUE(read.Assign(globals.Stored()));
    EXPECT_FALSE(read.AreSound(*learner)) << share;
  }
}

}  // namespace
}  // namespace thresher::pipeline

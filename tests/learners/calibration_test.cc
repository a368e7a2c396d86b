#include "learners/loss/calibration.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>

namespace thresher::learners {
namespace {

double Sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

// Two normal classes of spread 1 whose means lie `separation` on either side of 0: the log-odds of spam at z
// are 2·separation·z + log(share/(1 − share)). What is taught is margin(z).
struct Stream {
  double share = 0.5;  // of spam
  double separation = 1;
  double margin_scale = 1;
  double margin_offset = 0;
  int examples = 20000;
  double wrong_labels = 0;  // of what is taught; figures are of the right labels
};

struct Result {
  Calibration calibration;
  double error = 0;          // mean |probability − frequency| over ten bins, after the first quarter
  double excess = 0;         // log-loss above the true probability's
  double worst_deficit = 0;  // largest sum, over a prefix, of log-losses above those of σ(margin)
};

double LogLoss(double p, bool spam) { return -std::log(spam ? p : 1 - p); }

Result RunStream(const Stream& stream, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution normal;
  std::bernoulli_distribution is_spam(stream.share);
  std::bernoulli_distribution is_wrong(stream.wrong_labels);
  Result result;
  std::array<double, 10> surplus = {};
  const int measured_from = stream.examples / 4;
  double deficit = 0;
  for (int i = 0; i < stream.examples; ++i) {
    const bool spam = is_spam(random);
    const double z = normal(random) + (spam ? stream.separation : -stream.separation);
    const double log_odds = 2 * stream.separation * z + std::log(stream.share / (1 - stream.share));
    const double margin = stream.margin_scale * (log_odds + stream.margin_offset);
    if (i >= measured_from) {
      const double p = result.calibration.Probability(margin);
      surplus[std::min<size_t>(9, static_cast<size_t>(p * 10))] += p - (spam ? 1 : 0);
      const double truth = Sigmoid(log_odds);
      result.excess += spam ? std::log(truth / p) : std::log((1 - truth) / (1 - p));
    }
    deficit += LogLoss(result.calibration.Probability(margin), spam) - LogLoss(Sigmoid(margin), spam);
    result.worst_deficit = std::max(result.worst_deficit, deficit);
    result.calibration.Learn(margin, spam != is_wrong(random) ? Label::kSpam : Label::kHam);
  }
  const double measured = stream.examples - measured_from;
  for (const double s : surplus) result.error += std::abs(s) / measured;
  result.excess /= measured;
  return result;
}

TEST(Calibration, IdentityUntilTwentyOfEachClass) {
  Calibration calibration;
  for (int i = 0; i < 400; ++i) calibration.Learn(-5 + 0.01 * i, Label::kHam);
  for (int i = 0; i < 19; ++i) {
    EXPECT_DOUBLE_EQ(calibration.Probability(1.25), Sigmoid(1.25));
    calibration.Learn(1, Label::kSpam);
  }
  EXPECT_DOUBLE_EQ(calibration.Probability(1.25), Sigmoid(1.25));
  calibration.Learn(1, Label::kSpam);
  EXPECT_NE(calibration.Probability(1.25), Sigmoid(1.25));
  EXPECT_EQ(calibration.ham, 400U);
  EXPECT_EQ(calibration.spam, 20U);
}

// … then with little weight, which it earns.
TEST(Calibration, BeginsWithoutAJump) {
  Calibration calibration;
  std::mt19937_64 random(3);
  std::normal_distribution normal;
  for (int i = 0; i < 40; ++i) {
    const double before = calibration.Probability(1.25);
    const bool spam = i % 2 == 0;
    calibration.Learn(3 * normal(random) + (spam ? 1 : -1), spam ? Label::kSpam : Label::kHam);
    EXPECT_NEAR(calibration.Probability(1.25), before, 0.05) << i;
  }
  EXPECT_GT(calibration.Share(), 0);
}

TEST(Calibration, DoubtTakesAShareFromWhatWasLearned) {
  Calibration calibration;
  for (int i = 0; i < 400; ++i)
    calibration.Learn(i % 2 == 0 ? 0.4 : -0.4, i % 2 == 0 ? Label::kSpam : Label::kHam);
  const double learned = calibration.Probability(0.4);
  ASSERT_GT(learned, 0.9);
  EXPECT_LT(calibration.Probability(0.4, calibration.trust + 3),
            Sigmoid(0.4) + 0.1 * (learned - Sigmoid(0.4)));
  EXPECT_NEAR(calibration.Probability(0.4, 1000), Sigmoid(0.4), 1e-12);
  EXPECT_EQ(calibration.Probability(0.4, 0), learned);
}

// Where σ(margin) is right, what is learned costs little, most of it while some labels are still taken to be
// wrong; where it is not, it gains.
TEST(Calibration, LosesNoMoreThanTheIdentity) {
  for (const double scale : {0.3, 1.0, 3.0}) {
    for (const double offset : {-2.0, 0.0}) {
      for (uint64_t seed = 0; seed < 5; ++seed) {
        const Result result = RunStream({.share = 0.3, .margin_scale = scale, .margin_offset = offset}, seed);
        EXPECT_LT(result.worst_deficit, 8) << scale << ' ' << offset << ' ' << seed;
      }
    }
  }
}

TEST(Calibration, ProbabilitiesAreFrequencies) {
  for (const double share : {0.5, 0.02, 0.9}) {
    for (const double offset : {0.0, -3.0, 5.0}) {
      for (uint64_t seed = 0; seed < 5; ++seed) {
        const Result result = RunStream({.share = share, .margin_scale = 0.7, .margin_offset = offset}, seed);
        EXPECT_LT(result.error, 0.02) << share << ' ' << offset;
        EXPECT_LT(result.excess, 0.01) << share << ' ' << offset;
      }
    }
  }
}

// Most messages are as sure as in mail, whose classes are well apart: then wrong labels are seen to be wrong.
TEST(Calibration, AFewWrongLabelsDoNotMakeTheRightOnesUnsure) {
  for (const double wrong : {0.01, 0.03, 0.05}) {
    const Result noisy = RunStream({.separation = 2.5, .wrong_labels = wrong}, 1);
    EXPECT_GT(noisy.calibration.Probability(8), 0.98) << wrong;
    EXPECT_LT(noisy.calibration.Probability(-8), 0.02) << wrong;
    EXPECT_LT(noisy.excess, 0.012) << wrong;
    EXPECT_NEAR(noisy.calibration.share_wrong, wrong, 0.015) << wrong;
  }
}

// What contradicts margins that are too large is not taken for wrong labels.
TEST(Calibration, MarginsThatAreTooLargeAreStillSeenToBe) {
  for (const double scale : {2, 5}) {
    const Result result = RunStream({.margin_scale = scale}, 1);
    EXPECT_NEAR(result.calibration.slope * scale, 1, 0.2) << scale;
    EXPECT_GT(result.calibration.Share(), 0.99) << scale;
  }
}

// Margins that were near 0 and then are what logistic loss means by them: trust is that of the margins
// themselves, however far they are beyond the scale of those before.
TEST(Calibration, MarginsThatGrowAtOnceAreJudgedAsTheyAre) {
  std::mt19937_64 random(17);
  Calibration calibration;
  for (int i = 0; i < 40; ++i)
    calibration.Learn(i % 2 == 0 ? 0.01 : -0.01, i % 2 == 0 ? Label::kSpam : Label::kHam);
  const double before = calibration.trust;
  for (int i = 0; i < 20; ++i) {
    const double margin = i % 2 == 0 ? 3 : -3;
    const bool is_spam = std::bernoulli_distribution(Sigmoid(margin))(random);
    calibration.Learn(margin, is_spam ? Label::kSpam : Label::kHam);
  }
  EXPECT_LT(calibration.trust, before + 1);
}

// The unit of margins is the learner's business: the same stream in another unit gives the same A·margin + B,
// exactly so for powers of two, and the probability is soon that of it alone.
TEST(Calibration, ScaleOfMarginsDoesNotMatter) {
  const Result plain = RunStream({}, 1);
  for (const double scale : {0x1p-40, 0x1p-10, 0x1p12, 0x1p60}) {
    const Result scaled = RunStream({.margin_scale = scale}, 1);
    EXPECT_DOUBLE_EQ(scaled.calibration.slope * scale, plain.calibration.slope);
    EXPECT_DOUBLE_EQ(scaled.calibration.intercept, plain.calibration.intercept);
    EXPECT_LT(scaled.error, 0.02);
    EXPECT_LT(scaled.excess, 0.01);
  }
}

TEST(Calibration, MonotoneAndSlopePositiveOnWhateverIsTaught) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::mt19937_64 random(seed);
    std::cauchy_distribution cauchy(0.0, std::exp2(static_cast<double>(seed % 20)));
    std::bernoulli_distribution inverted(seed % 2 == 0 ? 0.9 : 0.5);  // even margins that rank the wrong way
    Calibration calibration;
    for (int i = 0; i < 3000; ++i) {
      const double margin = cauchy(random);
      calibration.Learn(margin, (margin > 0) != inverted(random) ? Label::kSpam : Label::kHam);
      ASSERT_GT(calibration.slope, 0);
      ASSERT_TRUE(std::isfinite(calibration.slope) && std::isfinite(calibration.intercept));
    }
    double last = 0;
    for (int margin = -100; margin < 100; ++margin) {
      const double p = calibration.Probability(margin);
      ASSERT_GE(p, last);
      last = p;
    }
  }
}

TEST(Calibration, LongRunsOfOneClassDoNotUnlearnTheOther) {
  Calibration calibration = RunStream({.separation = 2}, 3).calibration;
  std::mt19937_64 random(5);
  std::normal_distribution ham_log_odds(-8.0, 4.0);
  for (int i = 0; i < 20000; ++i) calibration.Learn(ham_log_odds(random), Label::kHam);
  EXPECT_GT(calibration.Probability(12), 0.9);
  EXPECT_LT(calibration.Probability(-8), 0.02);
}

TEST(Calibration, FollowsDrift) {
  Calibration calibration = RunStream({}, 7).calibration;
  std::mt19937_64 random(8);
  std::normal_distribution normal;
  // From now on every margin is three times as large and shifted by 4.
  for (int i = 0; i < 4000; ++i) {
    const bool spam = i % 2 == 0;
    const double log_odds = 2 * (normal(random) + (spam ? 1 : -1));
    calibration.Learn(3 * log_odds + 4, spam ? Label::kSpam : Label::kHam);
  }
  for (const double log_odds : {-3.0, -1.0, 0.0, 1.0, 3.0}) {
    EXPECT_NEAR(calibration.Probability(3 * log_odds + 4), Sigmoid(log_odds), 0.12) << log_odds;
  }
}

TEST(Calibration, ExtremeMarginsLeaveNoMark) {
  constexpr double kMost = std::numeric_limits<double>::max();
  Calibration calibration = RunStream({}, 11).calibration;
  const double before = calibration.Probability(1);
  for (const double margin : {kMost, -kMost, 1e308, -1e308}) {
    calibration.Learn(margin, margin > 0 ? Label::kSpam : Label::kHam);
    EXPECT_TRUE(std::isfinite(calibration.slope) && std::isfinite(calibration.intercept));
  }
  EXPECT_NEAR(calibration.Probability(1), before, 0.05);
  EXPECT_EQ(calibration.Probability(kMost), 1);
  EXPECT_EQ(calibration.Probability(-kMost), 0);
  // Extremes, zeros and subnormals alone, from the start.
  for (const double size : {kMost, 0.0, 5e-324, 1e-300}) {
    Calibration fresh;
    for (int i = 0; i < 500; ++i) {
      fresh.Learn(i % 3 == 0 ? size : -size, i % 2 == 0 ? Label::kSpam : Label::kHam);
      ASSERT_GT(fresh.slope, 0);
      ASSERT_TRUE(std::isfinite(fresh.slope) && std::isfinite(fresh.intercept)) << size;
      ASSERT_FALSE(std::isnan(fresh.Probability(size)));
    }
  }
}

TEST(Calibration, NonFiniteMarginsChangeNothing) {
  Calibration calibration = RunStream({.examples = 500}, 13).calibration;
  const Calibration before = calibration;
  for (const double margin : {HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()}) {
    calibration.Learn(margin, Label::kSpam);
  }
  using Bytes = std::array<std::byte, sizeof(Calibration)>;
  EXPECT_EQ(std::bit_cast<Bytes>(calibration), std::bit_cast<Bytes>(before));
}

}  // namespace
}  // namespace thresher::learners
